/** An id of an attack framework in a text, with its exact place there. */
export interface AttackHit {
  /** A tactic, or a technique with or without its sub-technique: `TA0001`, `T1566`, `T1566.001`. */
  readonly id: string
  /** The tactic of a technique, where the text names the two together, as in `TA0001:T1566`. */
  readonly tactic?: string
  readonly start: number
  readonly end: number
}

/** Everything that an id could be part of: a longer word, a product, a hash, a path, an address. */
const PART = /^[\p{L}\p{M}\p{N}_.:/\\@%&=+#$~?!*^-]$/u
const LONGEST_TOKEN = 4_096
/** A piece of every id, address and tag that is found. */
const HINT = /T[A\d]\d|[Aa]ttack/g
/** Marks around a word, of sentences or Markdown. */
const [LEADING, TRAILING] = [new Set('-_*~#.:!?^'), new Set('-_*~.:!?/^')]
/** The start of an entity of HTML, whose end is no part of words. */
const ENTITY = /&[a-z]{2,6}$/

const ATTACK_ID = '(?:TA\\d{4}|T\\d{4}(?:[./]\\d{3})?)'
const DISARM_ID = '(?:TA\\d{2}(?:\\d{2})?|T\\d{4}(?:[./]\\d{3})?)'
/** One or more ids, possibly after a label and before a name: `id=T1566`, `T1566/T1078`, `TA0001:T1566`, `T1566:Phishing`. */
const LABEL = '(?<label>[A-Za-z][A-Za-z_&-]{0,40}[:=#])?'
const NAME = '(?::\\p{L}[\\p{L}\\p{N}_-]{0,80})?'
const LISTS = {
  attack: new RegExp(`^${LABEL}(?<ids>${ATTACK_ID}(?:[/+:&]${ATTACK_ID}){0,50})${NAME}$`, 'u'),
  disarm: new RegExp(`^${LABEL}(?<ids>${DISARM_ID}(?:[/+:&]${DISARM_ID}){0,50})${NAME}$`, 'u'),
}
const IDS = /TA\d{2,4}|T\d{4}(?:[./]\d{3})?/g
/** The tag of detection rules. */
const TAG = /^attack\.(?<id>ta\d{4}|t\d{4}(?:\.\d{3})?)$/i

const MITRE = 'attack.mitre.org'
const DEFANGED = /attack\[?\.\]?mitre\[\.\]$/i
const DEFANGED_LENGTH = 20

const MITRE_PATH =
  /attack\.mitre\.org\/(?:versions\/v[\d.]{1,6}\/)?(?:techniques|tactics|wiki\/technique)\/(?<id>TA\d{4}|T\d{4}(?:[./]\d{3})?)(?![\p{L}\p{N}_.])/iu
const DISARM_PATH =
  /disarm[\p{L}\p{N}_./-]{0,200}?\/(?:techniques|tactics)\/(?<id>TA\d{2}|T\d{4}(?:\.\d{3})?)(?:\.md)?(?![\p{L}\p{N}_.])/iu

/** Makers and kinds of products whose models are named like techniques. */
const PRODUCT_BEFORE =
  /(?:^|[^\p{L}\p{N}])(?:canon|cisco|dell|designjet|epson|hp|huawei|lenovo|lexmark|model|motorola|netra|nikon|nokia|olympus|optiplex|poweredge|precision|printer|samsung|sparc|sun|surecolor|thinkpad|toshiba|xerox|xperia)[ \t-]{1,2}$/iu
const PRODUCT_AFTER =
  /^[ \t-]{1,2}(?:camera|laptop|notebook|phone|plotter|printer|router|scanner|series|switch|tablet)/i
const LONGEST_PRODUCT = 16

/**
 * Finds the ids of techniques and tactics in a text, each as often as it occurs, in order. Ids of DISARM are short and look like many other
 * things, so they count only in texts that name the framework. The text is passed over once.
 */
export function findAttackIds(text: string): AttackHit[] {
  const hits: AttackHit[] = []
  let isDisarm: boolean | undefined
  for (const [start, end] of tokensIn(text)) {
    if (end - start > LONGEST_TOKEN) continue
    isDisarm ??= /\bdisarm/i.test(text)
    const token = text.slice(start, end)
    hits.push(...(hitsInAddress(token, start, text, isDisarm) ?? hitsInWord(token, start, text, isDisarm)))
  }
  return hits
}

/** Where the tokens with a hint begin and end. The rest of the text is only searched for hints. */
function* tokensIn(text: string): Generator<readonly [number, number]> {
  let last = 0
  for (const { index } of text.matchAll(HINT)) {
    if (index < last) continue
    let [start, end] = [index, index]
    for (let part = characterBefore(text, start); start > last && PART.test(part); part = characterBefore(text, start))
      start -= part.length
    for (let part = characterAt(text, end); PART.test(part); part = characterAt(text, end)) end += part.length
    yield [start, end]
    last = end
  }
}

const characterAt = (text: string, at: number): string => {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** The character that ends before a position, which may have two halves. */
const characterBefore = (text: string, at: number): string => {
  const whole = characterAt(text, at - 2)
  return whole.length === 2 ? whole : text.charAt(at - 1)
}

/** The hits in an address; undefined if the token is none. */
function hitsInAddress(token: string, index: number, text: string, isDisarm: boolean): AttackHit[] | undefined {
  // Brackets in a defanged address end a token.
  const isCut = token.startsWith('org/') && DEFANGED.test(text.slice(Math.max(0, index - DEFANGED_LENGTH), index))
  const address = isCut ? `${MITRE}${token.slice('org'.length)}` : token
  const match = MITRE_PATH.exec(address) ?? (isDisarm ? DISARM_PATH.exec(address) : null)
  const id = match?.groups?.id
  if (match && id) return [hitAt(id, index + match.index + match[0].lastIndexOf(id) - address.length + token.length)]
  return token.includes('://') ? [] : undefined
}

function hitsInWord(token: string, index: number, text: string, isDisarm: boolean): AttackHit[] {
  const { word, start } = withoutMarks(token, index)
  const tag = TAG.exec(word)?.groups?.id
  if (tag !== undefined) return [hitAt(tag, start + word.length - tag.length)]
  const found = LISTS[isDisarm ? 'disarm' : 'attack'].exec(word)?.groups
  if (!found?.ids) return []
  const from = start + (found.label?.length ?? 0)
  const hits = joined(found.ids, from)
  const isPlain = hits.length === 1 && /^T\d{4}$/.test(hits[0]?.id ?? '')
  return isPlain && isProduct(text, from, from + found.ids.length) ? [] : hits
}

function withoutMarks(token: string, index: number): { readonly word: string; readonly start: number } {
  let [start, end] = [0, token.length]
  while (start < end && LEADING.has(token.charAt(start))) start++
  while (end > start && TRAILING.has(token.charAt(end - 1))) end--
  return { word: token.slice(start, end).replace(ENTITY, ''), start: index + start }
}

/** Ids in a row, where a tactic before a technique says which of its places is meant. */
function joined(ids: string, from: number): AttackHit[] {
  const hits: AttackHit[] = []
  for (const { 0: id, index } of ids.matchAll(IDS)) {
    const hit = hitAt(id, from + index)
    const last = hits.at(-1)
    const isBelow = last !== undefined && isTactic(last.id) && !isTactic(id) && /[:/]/.test(ids[index - 1] ?? '')
    if (isBelow) hits.splice(-1, 1, { ...hit, tactic: last.id, start: last.start })
    else hits.push(hit)
  }
  return hits
}

const isTactic = (id: string): boolean => id.startsWith('TA')

const hitAt = (id: string, start: number): AttackHit => ({
  id: id.toUpperCase().replace('/', '.'),
  start,
  end: start + id.length,
})

const isProduct = (text: string, start: number, end: number): boolean =>
  PRODUCT_BEFORE.test(text.slice(Math.max(0, start - LONGEST_PRODUCT), start)) ||
  PRODUCT_AFTER.test(text.slice(end, end + LONGEST_PRODUCT))
