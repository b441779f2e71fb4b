/** Said of a column of codes: they are no codes but words of the publisher, which repeat. */
export const ownWords = 'in words'
