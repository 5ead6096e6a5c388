/** The few ways in which rules grade: there or not, and how much of a full measure. */
const anything = /\S/

export const percent = {
  /** Whether the text holds anything but space. */
  filled: (text: string | null): number => (text !== null && anything.test(text) ? 100 : 0),
  /** How much of `full` there is, in whole percents. */
  of: (amount: number, full: number): number => (amount >= full ? 100 : Math.floor((amount * 100) / full)),
  when: (met: boolean): number => (met ? 100 : 0),
}
