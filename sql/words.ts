/** Every word of a statement that may name a table or view that it reads, each once. */
export const wordsOf = (sql: string): string[] => [...new Set(sql.match(/\w+/g))]
