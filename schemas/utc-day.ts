/** Days of UTC as text, YYYY-MM-DD. */
const dayMs = 86_400_000

export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)
export const daysAfter = (day: string, days: number): string => utcDay(new Date(Date.parse(day) + days * dayMs))
/** When it is over. */
export const endOfDay = (day: string): Date => new Date(Date.parse(day) + dayMs)
