/** The topics of the log. */
export const topics = {
  bronze: 'products.bronze',
  events: 'events.agent',
  changes: 'catalog.changes',
} as const

/** Where records go that no step can read, with reason, position and attempts. */
export const deadLetter = (topic: string) => `${topic}.dead`

/** Every topic that the log has from the start. */
export const allTopics: readonly string[] = Object.values(topics).flatMap((topic) => [topic, deadLetter(topic)])
