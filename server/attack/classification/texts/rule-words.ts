import { sigmaTags } from '../../../formats/sigma/sigma-rule.ts'
import { findAttackIds } from '../../../formats/text/attack-ids.ts'

export type RuleLanguage = 'sigma' | 'yara' | 'snort'

/** What one detection rule says about an attack framework. */
export interface RuleWords {
  readonly techniques: readonly string[]
  /** Ids and short names. */
  readonly tactics: readonly string[]
  /** Groups, software, campaigns and whatever else it names. */
  readonly others: readonly string[]
  /** Techniques and tactics in its free texts, which may be no ids at all. */
  readonly mentioned: readonly string[]
}

/** A word of a rule, and whether its place says that it is about an attack framework. */
interface Word {
  readonly text: string
  readonly isMentioned?: boolean
}

const LONGEST_RULE = 1024 * 1024
const TECHNIQUE = /^T\d{4}(?:\.\d{3})?$/
const TACTIC = /^(?:TA\d{4}|[a-z][a-z-]{2,60})$/
/** Names of metadata whose values are ids, in any spelling. */
const ABOUT_ATTACK = /mitre|att.?ck|technique|tactic/i

/** Reads what the rules in a text say about attack frameworks, rule by rule. Rules without any such word are left out. */
export function ruleWords(language: RuleLanguage, text: string): RuleWords[] {
  if (text.length > LONGEST_RULE) return []
  const all = READERS[language](text)
  return all.filter((words) => Object.values(words).some((list) => list.length > 0))
}

const READERS: Readonly<Record<RuleLanguage, (text: string) => RuleWords[]>> = {
  sigma: (text) => [...sigmaTags(text)].map((tags) => sorted(tags.flatMap(tagged))),
  yara: (text) => yaraRules(text).map((words) => sorted(words)),
  snort: (text) => snortRules(text).map((words) => sorted(words)),
}

function sorted(words: readonly Word[]): RuleWords {
  const sure = new Set(words.flatMap(({ text, isMentioned }) => (isMentioned ? [] : text)))
  const mentioned = new Set(words.flatMap(({ text, isMentioned }) => (isMentioned && !sure.has(text) ? text : [])))
  const kinds = Map.groupBy(sure, kindOf)
  return {
    mentioned: [...mentioned],
    techniques: kinds.get('technique') ?? [],
    tactics: kinds.get('tactic') ?? [],
    others: kinds.get('other') ?? [],
  }
}

function kindOf(word: string): 'technique' | 'tactic' | 'other' {
  if (TECHNIQUE.test(word)) return 'technique'
  return TACTIC.test(word) ? 'tactic' : 'other'
}

/** The word of a tag such as `attack.t1566.001` or `attack.initial_access`. */
function tagged(tag: string): Word[] {
  const word = /^attack\.([a-z0-9._-]{2,60})$/i.exec(tag.trim())?.[1]
  if (word === undefined) return []
  return [{ text: /\d/.test(word) ? word.toUpperCase() : shortName(word) }]
}

/** The name of a tactic in the spelling of kill chains. */
const shortName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')

const YARA_META = /\bmeta\s*:/g
/** What a section `meta:` consists of: spaces, comments and fields. The first other word ends it. */
const YARA_ITEM = /\s+|\/\/[^\n]*|(\/\*)|(\w{1,100})\s*=\s*(?:"((?:[^"\\\n]|\\.)*)"|[\w.-]+)/y

function yaraRules(text: string): Word[][] {
  const rules: Word[][] = []
  for (let end = 0; ; ) {
    YARA_META.lastIndex = end
    if (!YARA_META.test(text)) return rules
    const words: Word[] = []
    end = YARA_META.lastIndex
    YARA_ITEM.lastIndex = end
    for (let item = YARA_ITEM.exec(text); item; item = YARA_ITEM.exec(text)) {
      const [, comment, name, value] = item
      end = comment === undefined ? YARA_ITEM.lastIndex : text.indexOf('*/', YARA_ITEM.lastIndex) + '*/'.length
      if (end < YARA_ITEM.lastIndex) return [...rules, words]
      YARA_ITEM.lastIndex = end
      if (name !== undefined && value !== undefined) words.push(...valueWords(name, value))
    }
    rules.push(words)
  }
}

/** The end of an option; in options, semicolons are escaped. */
const SNORT_END = /(?<!\\);/
const SNORT_OPTION = /(?:^|[\s(])(metadata|reference)[ \t]{0,5}:(.*)$/s

function snortRules(text: string): Word[][] {
  const rules: string[][] = []
  let rule: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trimStart().startsWith('#')) continue
    rule.push(line.replace(/\\$/, ''))
    // A rule may have several lines; the parenthesis around its options ends it.
    if (!line.trimEnd().endsWith(')')) continue
    rules.push(rule)
    rule = []
  }
  return [...rules, rule].map((lines) => lines.join(' ').split(SNORT_END).flatMap(snortWords))
}

function snortWords(text: string): Word[] {
  const [, option, value = ''] = SNORT_OPTION.exec(text) ?? []
  if (option === undefined) return []
  if (option === 'reference') return idsIn(value.replace(',', ' ')).map((each) => ({ text: each, isMentioned: true }))
  return value.split(',').flatMap((pair) => {
    const [, name = '', said = ''] = /^\s*([\w.-]{1,100})[ \t]([^\n]*)$/.exec(pair) ?? []
    return ABOUT_ATTACK.test(name) ? valueWords(name, said) : []
  })
}

/** What a value of metadata says. Where its name says that it holds ids, their spelling may vary: `t1059`, `T1059_001`. */
function valueWords(name: string, value: string): Word[] {
  if (!ABOUT_ATTACK.test(name)) return idsIn(value).map((text) => ({ text, isMentioned: true }))
  const ids = idsIn(value.toUpperCase().replace(/(T\d{4})[_-](\d{3})(?!\d)/g, '$1.$2'))
  const others = [...value.matchAll(/\b[GSC]\d{4}\b/g)].map(([id]) => id)
  const names = /tactic/i.test(name) && ids.length === 0 ? value.split(/[,;/]/).map(shortName) : []
  return [...ids, ...others, ...names.filter((each) => TACTIC.test(each))].map((text) => ({ text }))
}

const idsIn = (text: string): string[] => findAttackIds(text).flatMap(({ id, tactic }) => [id, tactic ?? []].flat())
