/** Size of a header and of the blocks that follow it, in bytes. */
export const BLOCK = 512

const CHECKSUM = { start: 148, end: 156 }

/** Whether bytes start with a tar header, verified by its checksum. */
export function isTarHeader(head: Buffer): boolean {
  if (head.length < BLOCK || head[0] === 0) return false
  const written = Number.parseInt(head.toString('latin1', CHECKSUM.start, CHECKSUM.end).replaceAll(/[\0 ]/g, ''), 8)
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= CHECKSUM.start && at < CHECKSUM.end ? 0x20 : (head[at] ?? 0)
  return sum === written
}
