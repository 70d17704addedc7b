import { DocumentError } from '../document.ts'

const LONGEST = 1000
/** Names that mean a device on some systems, with whatever extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$/i
/** What systems add to archives that nobody put there. */
const RUBBISH = /^(?:__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i

/** The name of an entry without what is not needed; one that would lead elsewhere is refused. */
export function entryName(given: string): string {
  const refuse = (why: string) =>
    new DocumentError(`${JSON.stringify(given.slice(0, 200))}: the name of an entry ${why}`)
  if (given.length > LONGEST) throw refuse(`must have at most ${LONGEST} characters`)
  if (/\p{Cc}/u.test(given)) throw refuse('must have no control characters')
  if (/^(?:[\\/]|[a-z]:)/i.test(given)) throw refuse('must not be absolute')
  const parts = given.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refuse('must not lead out of the archive')
  if (parts.some((part) => DEVICES.test(part.split('.')[0] ?? ''))) throw refuse('must not be that of a device')
  return parts.join('/')
}

/** Whether an entry is of no interest to anybody. */
export const isRubbish = (name: string): boolean => name === '' || name.split('/').some((part) => RUBBISH.test(part))
