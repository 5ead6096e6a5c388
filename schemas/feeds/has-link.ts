/** Whether a text holds a web address. */
export const hasLink = (text: string): boolean => text.includes('://') || text.includes('www.')
