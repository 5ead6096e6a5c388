/** By what a cell's number is read where it could be two: the file's own numbers, the workspace's setting, its column, its currency. */
import type { FieldCell, ImportContext, SilverSettings } from '../../schemas/pipeline.ts'
import { exponent } from './currency.ts'
import { type LoneMark, type NumberRule, ruleOf } from './number-format.ts'

/** @param currency of the amount, where it is known */
export function numberRule(
  { column, origin }: Pick<FieldCell, 'column' | 'origin'>,
  context: ImportContext | undefined,
  settings: Pick<SilverSettings, 'decimal'>,
  currency: string | null = null,
): NumberRule {
  const format = context?.numbers[column]
  // Context 0 is our own interface, whose format is a rule and no evidence that a setting could correct.
  if (origin.context === 0) return { ...ruleOf(format?.decimal ?? settings.decimal), exact: true }
  const point = format?.point
  const evidence = point ? point.texts : (format?.decimal ?? null)
  const exact = point?.by === 'numbers' && !point.exponents
  const texts = point?.by === 'format' ? ruleOf('.') : ruleOf(settings.decimal ?? evidence)
  const mixed = format?.mixed === true && point?.by !== 'format' && settings.decimal === null
  // A text with a lone point looks like a number of the file: what its texts say of it, or leave open, is true of both.
  const alike = point?.by === 'numbers' && point.lonePoints
  const certain = point && !(alike && (texts.point === 'group' || (mixed && evidence === null)))
  if (currency === null || exponent(currency) !== 0) {
    const guesses = !mixed || evidence === null ? '' : point && !alike ? ',' : '.,'
    return { point: certain ? 'decimal' : point ? null : texts.point, comma: texts.comma, guesses, exact }
  }
  // What a column that contradicts itself says is less than what the money says.
  const whole = (mark: '.' | ','): LoneMark => (evidence === mark && !mixed ? 'zeros' : 'group')
  const pointed = certain ? 'decimal' : null
  return { point: point?.by === 'numbers' ? pointed : whole('.'), comma: whole(','), guesses: '', exact }
}
