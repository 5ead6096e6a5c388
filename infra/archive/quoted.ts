/** A text as DuckDB's SQL writes it. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
