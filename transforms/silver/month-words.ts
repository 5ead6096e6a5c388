/** Names of months and their short forms in our languages; those of Japanese and Chinese are numbers. */
import { wordTable } from './words.ts'

type Month = '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '10' | '11' | '12'

const list = (...lines: string[]) => lines.join('|')

const monthOf = wordTable<Month>({
  1: list(
    'january|jan|januar|jänner|janvier|janv|enero|ene|janeiro|gennaio|gen|januari|stycznia|styczeń|sty|ledna|leden|января|январь|янв',
    'ocak|oca|január|januára|tammikuu|tammikuuta|січня|січень|ianuarie',
  ),
  2: list(
    'february|feb|februar|février|févr|fév|febrero|fevereiro|fev|febbraio|februari|lutego|luty|lut|února|únor|февраля|февраль|фев|февр',
    'şubat|şub|február|februára|helmikuu|helmikuuta|лютого|лютий|februarie',
  ),
  3: list(
    'march|mar|märz|mrz|mars|marzo|março|maart|mrt|marca|marzec|března|březen|марта|март|мар',
    'mart|marts|marec|március|maaliskuu|maaliskuuta|березня|березень|martie',
  ),
  4: list(
    'april|apr|avril|avr|abril|abr|aprile|kwietnia|kwiecień|kwi|dubna|duben|апреля|апрель|апр',
    'nisan|nis|apríl|apríla|április|huhtikuu|huhtikuuta|квітня|квітень|aprilie',
  ),
  5: list(
    'may|mai|mayo|maio|maggio|mag|mei|maja|maj|května|květen|мая|май',
    'mayıs|máj|mája|május|toukokuu|toukokuuta|травня|травень',
  ),
  6: list(
    'june|jun|juni|juin|junio|junho|giugno|giu|czerwca|czerwiec|cze|června|červen|июня|июнь|июн',
    'haziran|haz|jún|júna|június|kesäkuu|kesäkuuta|червня|червень|iunie',
  ),
  7: list(
    'july|jul|juli|juillet|juil|julio|julho|luglio|lug|lipca|lipiec|lip|července|červenec|июля|июль|июл',
    'temmuz|tem|júl|júla|július|heinäkuu|heinäkuuta|липня|липень|iulie',
  ),
  8: list(
    'august|aug|août|agosto|ago|augustus|sierpnia|sierpień|sie|srpna|srpen|августа|август|авг',
    'ağustos|ağu|augusti|augusta|augusztus|elokuu|elokuuta|серпня|серпень',
  ),
  9: list(
    'september|sep|sept|septembre|septiembre|setiembre|setembro|set|settembre|września|wrzesień|wrz|září|сентября|сентябрь|сен|сент',
    'eylül|eyl|septembra|szeptember|syyskuu|syyskuuta|вересня|вересень|septembrie',
  ),
  10: list(
    'october|oct|oktober|okt|octobre|octubre|outubro|out|ottobre|ott|października|październik|paź|října|říjen|октября|октябрь|окт',
    'ekim|eki|október|októbra|lokakuu|lokakuuta|жовтня|жовтень|octombrie',
  ),
  11: list(
    'november|nov|novembre|noviembre|novembro|listopada|listopad|lis|listopadu|ноября|ноябрь|ноя|нояб',
    'kasım|kas|novembra|marraskuu|marraskuuta|листопада|листопад|noiembrie',
  ),
  12: list(
    'december|dec|dezember|dez|décembre|déc|diciembre|dic|dezembro|dicembre|grudnia|grudzień|gru|prosince|prosinec|декабря|декабрь|дек',
    'aralık|ara|desember|des|decembra|joulukuu|joulukuuta|грудня|грудень|decembrie',
  ),
})

/** From 1; null for a word that is no month. A number is none: it may be a day. */
export function monthNamed(word: string): number | null {
  const month = /^\d/.test(word) ? undefined : monthOf(word)
  return month === undefined ? null : Number(month)
}
