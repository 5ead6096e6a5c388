/** A value of schema.org without the address or prefix before it: `https://schema.org/InStock` and `schema:InStock` are InStock. */
export const withoutSchemaOrg = (raw: string): string => (raw.includes(':') ? raw.replace(before, '') : raw)

const before = /^\s*(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i
