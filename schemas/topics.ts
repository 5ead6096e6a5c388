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

/** On brokers alone: which database each topic of products belongs to. The first that says so of one has it. */
export const ownersTopic = 'log.owners'
