/**
 * What Windows-1252 has for the bytes 0x80 to 0x9F, where Latin-1 has control characters. Some versions of Node decode
 * the one as the other (`TextDecoder`), so the difference is spelled out here.
 */
const beyondLatin1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Bytes that Windows-1252 has no character for. */
export const undefinedIn1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** The text of bytes in Windows-1252. */
export const fromWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\u0080-\u009f]/g, (char) => beyondLatin1[char.charCodeAt(0) - 0x80]!)

/** The text of a file: UTF-8 with or without a byte order mark, else Windows-1252. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return fromWindows1252(Buffer.from(bytes))
  }
}
