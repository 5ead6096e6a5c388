/** Reads a condition word, in any language we have met, as one of the three that platforms know. */
import type { Condition } from '../../schemas/product.ts'
import { quote } from './quote.ts'
import { doubts, type Reading, reads } from './reading.ts'
import { wordTable } from './words.ts'

const conditionOf = wordTable<Condition>({
  new:
    'brand new|newcondition|new with tags|new in box|neu|neuware|neu ovp|nouveau|neuf|neuve|nuevo|nueva|a estrenar|nuovo|nuova|novo|nova|' +
    'nieuw|nowy|nowa|nowe|nový|nová|nové|новый|новая|новое|новые|新品|未使用|全新|新|ny|nytt|uusi|yeni|جديد',
  refurbished:
    'refurbishedcondition|renewed|reconditioned|remanufactured|certified refurbished|generalüberholt|überholt|aufbereitet|reconditionné|' +
    'remis à neuf|reacondicionado|restaurado|ricondizionato|rigenerato|recondicionado|gereviseerd|opgeknapt|odnowiony|regenerowany|' +
    'repasovaný|renovovaný|восстановленный|восстановленное|再生品|整備済み|整備済み品|翻新|官翻|renoverad|kunnostettu',
  used:
    'usedcondition|pre owned|preowned|second hand|secondhand|used good|used like new|used very good|used acceptable|damagedcondition|' +
    'gebraucht|occasion|d occasion|usagé|usado|usada|de segunda mano|usato|usata|seminovo|tweedehands|gebruikt|używany|używana|' +
    'použitý|použité|bazar|bazaar|б у|б/у|подержанный|бывший в употреблении|中古|中古品|二手|已使用|begagnad|brukt|käytetty',
})

const schemaOrg = /^\s*https?:\/\/schema\.org\//i

export function readCondition(raw: string): Reading<Condition> {
  const known = conditionOf(raw.includes('/') ? raw.replace(schemaOrg, '') : raw)
  if (known) return reads(known)
  return doubts('unknown_condition', `${quote(raw)} is no condition we know; use new, refurbished or used`)
}
