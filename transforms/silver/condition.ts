/** Reads a condition word, in any language we have met, as one of the three that platforms know. */
import type { Condition } from '../../schemas/product.ts'
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import { withoutSchemaOrg } from './schema-org.ts'
import { wordTable } from './words.ts'

const list = (...lines: string[]) => lines.join('|')

const conditionOf = wordTable<Condition>({
  new: list(
    'brand new|newcondition|new with tags|new without tags|new in box|new sealed|unused|never used|factory new',
    "neu|neuware|neu ovp|neu & ovp|fabrikneu|ungebraucht|nouveau|nouvelle|neuf|neuve|neuf avec étiquette|à l'état neuf",
    'nuevo|nueva|nuevos|nuevas|a estrenar|sin usar|novo|nova|novos|novo na caixa|nuovo|nuova|nuovi|nuovo con etichetta|nieuw|nieuwe|gloednieuw|ongebruikt',
    'nowy|nowa|nowe|fabrycznie nowy|nieużywany|nový|nová|nové|nepoužité|nepoužitý|nepoužitá|zcela nový|новый|новая|новое|новые|не использованный|не использовался',
    '新品|未使用|未開封|新品未使用|全新|新|全新未拆|未拆封|ny|nytt|nya|uusi|yeni|جديد',
    'oanvänd|nyt|nye|ubrugt|ubrukt|käyttämätön|sıfır|sıfır ürün|kullanılmamış|nepoužité|новий|нова|нове|нові|új|nou|nouă',
  ),
  refurbished: list(
    'refurbishedcondition|renewed|reconditioned|remanufactured|certified refurbished|manufacturer refurbished|seller refurbished|factory refurbished|refurb',
    'generalüberholt|überholt|aufbereitet|wiederaufbereitet|refurbisht|reconditionné|reconditionnée|remis à neuf|remis en état|rénové',
    'reacondicionado|reacondicionada|restaurado|renovado|recondicionado|recondicionada|remanufaturado|ricondizionato|ricondizionata|rigenerato|rigenerata',
    'gereviseerd|opgeknapt|refurbished product|gerenoveerd|odnowiony|odnowiona|odnowione|regenerowany|regenerowana',
    'repasovaný|repasované|repasovaná|renovovaný|renovované|восстановленный|восстановленное|восстановленная|рефабрикат|рефурбиш',
    '再生品|整備済み|整備済み品|整備済|リファービッシュ|翻新|官翻|官方翻新|二手翻新|renoverad|kunnostettu',
    'rekonditionerad|renoveret|istandsat|renovert|yenilenmiş|repasovaný|відновлений|відновлена|відновлене|felújított|recondiționat',
  ),
  used: list(
    'usedcondition|pre owned|preowned|pre loved|second hand|secondhand|2nd hand|used good|used like new|used very good|used acceptable|damagedcondition|like new',
    "gebraucht|gebrauchte|gebraucht wie neu|wie neu|neuwertig|second hand ware|occasion|d occasion|d'occasion|usagé|usagée|seconde main",
    'usado|usada|usados|usadas|seminuevo|seminueva|de segunda mano|segunda mano|semi novo|seminovo|seminova|de segunda mão|segunda mão|usato|usata|usati|di seconda mano|seconda mano',
    'tweedehands|2e hands|gebruikt|gebruikte|używany|używana|używane|z drugiej ręki|použitý|použitá|použité|použité zboží|bazar|bazaar|bazarový|zánovní|z druhé ruky',
    'б у|б/у|бу|подержанный|подержанная|бывший в употреблении|использованный|中古|中古品|ユーズド|二手|已使用|旧|begagnad|brukt|brugt|käytetty|ikinci el',
    'begagnat|begagnade|använd|använt|brugte|brukte|kullanılmış|az kullanılmış|použitý tovar|вживаний|вживана|вживане|б/в|használt|folosit|utilizat',
  ),
})

export function readCondition(raw: string): Reading<Condition> {
  const known = conditionOf(withoutSchemaOrg(raw))
  if (known) return reads(known)
  return doubts('unknown_condition', `${quote(raw)} is no condition we know; use new, refurbished or used`)
}
