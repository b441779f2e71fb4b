export const MIB = 2 ** 20
export const DAY_SECONDS = 86_400
