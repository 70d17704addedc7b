/** Characters that some system does not allow in file names, that separate paths, or that are invisible. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"/\\|?*]/gu

/** Device names on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Returns a name that is valid on every system, with at most `limit` characters. */
export function safeName(name: string, fallback: string, limit = 120): string {
  const plain = name.toWellFormed().normalize().replaceAll(UNSAFE, '_').trim()
  const dot = plain.lastIndexOf('.')
  const ending = dot > 0 && plain.length - dot <= 12 ? plain.slice(dot) : ''
  const stem = plain.slice(0, plain.length - ending.length)
  const short = `${stem.slice(0, limit - ending.length)}${ending}`.toWellFormed().replace(/^[. ]+|(?<![. ])[. ]+$/g, '')
  if (short === '') return fallback
  return DEVICE.test(short) ? `_${short}` : short
}

/** Returns names that are unique even on case-insensitive systems: the second `a.txt` becomes `a (2).txt`. */
export function uniqueNames(): (name: string) => string {
  const taken = new Map<string, number>()
  return (name) => {
    const dot = name.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    let number = taken.get(name.toLowerCase()) ?? 0
    let made = name
    do made = ++number === 1 ? name : `${stem} (${number})${ending}`
    while (made !== name && taken.has(made.toLowerCase()))
    taken.set(name.toLowerCase(), number)
    if (made !== name) taken.set(made.toLowerCase(), 1)
    return made
  }
}
