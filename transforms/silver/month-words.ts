/** Names of months and their short forms in our languages; those of Japanese and Chinese are numbers. */
import { wordTable } from './words.ts'

type Month = '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '10' | '11' | '12'

const monthOf = wordTable<Month>({
  1: 'january|jan|januar|jänner|janvier|janv|enero|ene|janeiro|gennaio|gen|januari|stycznia|styczeń|sty|ledna|leden|января|январь|янв',
  2: 'february|feb|februar|février|févr|fév|febrero|fevereiro|fev|febbraio|februari|lutego|luty|lut|února|únor|февраля|февраль|фев|февр',
  3: 'march|mar|märz|mrz|mars|marzo|março|maart|mrt|marca|marzec|března|březen|марта|март|мар',
  4: 'april|apr|avril|avr|abril|abr|aprile|kwietnia|kwiecień|kwi|dubna|duben|апреля|апрель|апр',
  5: 'may|mai|mayo|maio|maggio|mag|mei|maja|maj|května|květen|мая|май',
  6: 'june|jun|juni|juin|junio|junho|giugno|giu|czerwca|czerwiec|cze|června|červen|июня|июнь|июн',
  7: 'july|jul|juli|juillet|juil|julio|julho|luglio|lug|lipca|lipiec|lip|července|červenec|июля|июль|июл',
  8: 'august|aug|août|agosto|ago|augustus|sierpnia|sierpień|sie|srpna|srpen|августа|август|авг',
  9: 'september|sep|sept|septembre|septiembre|setiembre|setembro|set|settembre|września|wrzesień|wrz|září|сентября|сентябрь|сен|сент',
  10: 'october|oct|oktober|okt|octobre|octubre|outubro|out|ottobre|ott|października|październik|paź|října|říjen|октября|октябрь|окт',
  11: 'november|nov|novembre|noviembre|novembro|listopada|listopad|lis|listopadu|ноября|ноябрь|ноя|нояб',
  12: 'december|dec|dezember|dez|décembre|déc|diciembre|dic|dezembro|dicembre|grudnia|grudzień|gru|prosince|prosinec|декабря|декабрь|дек',
})

/** From 1; null for a word that is no month. A number is none: it may be a day. */
export function monthNamed(word: string): number | null {
  const month = /^\d/.test(word) ? undefined : monthOf(word)
  return month === undefined ? null : Number(month)
}
