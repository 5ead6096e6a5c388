/** The few ways in which rules grade: there or not, and how much of a full measure. */
import { blank } from '../../schemas/feeds/blank.ts'

export const percent = {
  /** Whether the text holds anything that a reader would see. */
  filled: (text: string | null): number => (blank(text) ? 0 : 100),
  /** How much of `full` there is, in whole percents. */
  of: (amount: number, full: number): number => (amount >= full ? 100 : Math.floor((amount * 100) / full)),
  when: (met: boolean): number => (met ? 100 : 0),
}
