import { DocumentError } from '../document.ts'

const NAME_LIMIT = 1000
/** Names that denote a device on some systems, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i
/** Files that operating systems add to archives. */
const SYSTEM_FILES = /^(?:__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i

/** Normalises the name of an entry. Names that lead outside the archive are rejected. */
export function entryName(given: string): string {
  const refuse = (why: string) => new DocumentError(`${JSON.stringify(given.slice(0, 200))}: the entry name ${why}`)
  if (given.length > NAME_LIMIT) throw refuse(`must have at most ${NAME_LIMIT} characters`)
  if (/\p{Cc}/u.test(given)) throw refuse('must not contain control characters')
  if (/^(?:[\\/]|[a-z]:)/i.test(given)) throw refuse('must not be absolute')
  const parts = given.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refuse('must not lead outside the archive')
  if (parts.some((part) => DEVICES.test(part.split('.')[0] ?? ''))) throw refuse('must not be a device name')
  return parts.join('/')
}

/** Whether an entry was added by an operating system. */
export const isSystemFile = (name: string): boolean =>
  name === '' || name.split('/').some((part) => SYSTEM_FILES.test(part))
