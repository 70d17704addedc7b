import { MAX_VALUE_LENGTH } from '../../domain/observables/definition.ts'
import { note, type Scan, use } from './scan.ts'

const YARA =
  /(?<![\w"'])(?:(?:private|global)\s{1,3}){0,2}rule\s{1,3}[A-Za-z_]\w{0,127}\s{0,3}(?::[\w \t]{1,200})?\s{0,5}\{/g
const SNORT =
  /^[ \t]{0,8}(?:alert|drop|log|pass|reject|sdrop)[ \t]{1,4}(?:dns|ftp|http2?|icmp|ip|pkthdr|smb|smtp|ssh|tcp|tls|udp)(?:-pkt)?[ \t][^\r\n(]{3,500}\(/gm
/** The end of a line without a continuation. */
const LINE_END = /(?<!\\\r?)\n|(?<!\\)\r|\r(?!\n)/g
/** Maximum and minimum length of the options of a Snort rule. */
const [MAX_OPTIONS_LENGTH, MIN_OPTIONS_LENGTH] = [20_000, 5]

/** Finds rules of detection tools. The observables inside them are found separately. */
export function findRules(scan: Scan): void {
  const { source } = scan
  // Bounds the work, because many rules may start without ever ending.
  let budget = 4 * source.length + 1_000
  let read = 0
  for (const { 0: head, index } of source.matchAll(YARA)) {
    if (index < read || budget <= 0) continue
    const limit = Math.min(source.length, index + MAX_VALUE_LENGTH)
    const end = endOfBlock(source, index + head.length, limit)
    budget -= (end ?? limit) - index
    if (end === undefined || !/\bcondition\s{0,5}:/.test(source.slice(index, end))) continue
    note(scan, 'yara', source.slice(index, end), { start: index, end })
    read = end
  }
  findSnort(scan)
}

function findSnort(scan: Scan): void {
  const { source } = scan
  // Many rules may seem to start in one very long line, so its end is searched for only once.
  let end = 0
  let read = 0
  for (const { 0: head, index } of source.matchAll(SNORT)) {
    if (index < read) continue
    const start = index + head.length
    if (end < start) end = endOfContinued(source, start)
    const length = end - start - 1
    if (source[end - 1] !== ')' || length < MIN_OPTIONS_LENGTH || length > MAX_OPTIONS_LENGTH) continue
    const rule = source.slice(index, end)
    if (/\b(?:sid|msg)\s?:/.test(rule)) {
      note(scan, 'snort', rule.trim(), { start: index, end })
      coverReferences(scan, rule, index)
    }
    read = end
  }
}

/** References in a rule are not indicators. */
function coverReferences(scan: Scan, rule: string, start: number): void {
  let from = start
  for (const option of rule.split(';')) {
    if (/^\s?(?:reference|metadata)\s?:/.test(option)) use(scan, { start: from, end: from + option.length })
    from += option.length + 1
  }
}

/** Returns the end of a line including its continuation lines, without trailing space. */
function endOfContinued(source: string, start: number): number {
  LINE_END.lastIndex = start
  let end = LINE_END.exec(source)?.index ?? source.length
  while (end > start && (source[end - 1] === ' ' || source[end - 1] === '\t')) end--
  return end
}

/** Returns the position of the closing brace. Strings, comments and regular expressions may contain braces too. */
function endOfBlock(source: string, start: number, limit: number): number | undefined {
  let depth = 1
  for (let i = start; i < limit; i++) {
    const character = source[i]
    if (character === '"') i = endOfString(source, i, limit)
    else if (character === '/' && source[i + 1] === '/') i = endOfLine(source, i, limit)
    else if (character === '/' && source[i + 1] === '*') i = Math.min(limit, source.indexOf('*/', i + 2) + 1 || limit)
    else if (character === '/' && /=\s{0,4}$/.test(source.slice(Math.max(0, i - 5), i)))
      i = endOfPattern(source, i, limit)
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return i + 1
  }
  return undefined
}

function endOfString(source: string, start: number, limit: number): number {
  for (let i = start + 1; i < limit; i++) {
    if (source[i] === '\\') i++
    else if (source[i] === '"' || source[i] === '\n') return i
  }
  return limit
}

function endOfPattern(source: string, start: number, limit: number): number {
  for (let i = start + 1; i < limit; i++) {
    if (source[i] === '\\') i++
    else if (source[i] === '/' || source[i] === '\n') return i
  }
  return limit
}

function endOfLine(source: string, start: number, limit: number): number {
  const end = source.indexOf('\n', start)
  return end < 0 ? limit : Math.min(end, limit)
}
