import { sigmaRules } from '../../../formats/sigma/sigma-rule.ts'
import { findAttackIds } from '../../../formats/text/attack-ids.ts'

export type RuleLanguage = 'sigma' | 'yara' | 'snort'

/** What one detection rule says about an attack framework. */
export interface RuleWords {
  readonly techniques: readonly string[]
  /** Ids and short names. */
  readonly tactics: readonly string[]
  /** Groups, software, campaigns and whatever else it names. */
  readonly others: readonly string[]
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
  return all.filter(({ techniques, tactics, others }) => techniques.length + tactics.length + others.length > 0)
}

const READERS: Readonly<Record<RuleLanguage, (text: string) => RuleWords[]>> = {
  sigma: (text) => [...sigmaRules(text)].map(({ tags }) => sorted(tags.flatMap(tagged))),
  yara: (text) => yaraRules(text).map((words) => sorted(words)),
  snort: (text) => snortRules(text).map((words) => sorted(words)),
}

function sorted(words: readonly string[]): RuleWords {
  const kinds = Map.groupBy(new Set(words), kindOf)
  return {
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
function tagged(tag: string): string[] {
  const word = /^attack\.([a-z0-9._-]{2,60})$/i.exec(tag.trim())?.[1]
  if (word === undefined) return []
  return [/\d/.test(word) ? word.toUpperCase() : shortName(word)]
}

/** The name of a tactic in the spelling of kill chains. */
const shortName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')

/** The section of a rule between `meta:` and the next one. */
const YARA_META = /\bmeta[ \t]{0,20}:([\s\S]*?)(?:\b(?:strings|condition|variables)[ \t]{0,20}:|$)/g
const YARA_FIELD = /^[ \t]*(\w{1,100})[ \t]{0,20}=[ \t]{0,20}"((?:[^"\\\n]|\\.){0,2000})"/gm

function yaraRules(text: string): string[][] {
  return [...text.matchAll(YARA_META)].map(([, meta = '']) =>
    [...meta.matchAll(YARA_FIELD)].flatMap(([, name = '', value = '']) => valueWords(name, value)),
  )
}

/** The end of an option; in options, semicolons are escaped. */
const SNORT_END = /(?<!\\);/
const SNORT_OPTION = /(?:^|[\s(])(metadata|reference)[ \t]{0,5}:(.*)$/s

function snortRules(text: string): string[][] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .map((line) => (line.trimStart().startsWith('#') ? [] : line.split(SNORT_END).flatMap(snortWords)))
}

function snortWords(text: string): string[] {
  const [, option, value = ''] = SNORT_OPTION.exec(text) ?? []
  if (option === undefined) return []
  if (option === 'reference') return idsIn(value.replace(',', ' '))
  return value.split(',').flatMap((pair) => {
    const [, name = '', said = ''] = /^\s*([\w.-]{1,100})[ \t]([^\n]*)$/.exec(pair) ?? []
    return ABOUT_ATTACK.test(name) ? valueWords(name, said) : []
  })
}

/** What a value of metadata says. Where its name says that it holds ids, their spelling may vary: `t1059`, `T1059_001`. */
function valueWords(name: string, value: string): string[] {
  if (!ABOUT_ATTACK.test(name)) return idsIn(value)
  const ids = idsIn(value.toUpperCase().replace(/(T\d{4})[_-](\d{3})(?!\d)/g, '$1.$2'))
  const others = [...value.matchAll(/\b[GSC]\d{4}\b/g)].map(([id]) => id)
  const names = /tactic/i.test(name) && ids.length === 0 ? value.split(/[,;/]/).map(shortName) : []
  return [...ids, ...others, ...names.filter((each) => TACTIC.test(each))]
}

const idsIn = (text: string): string[] => findAttackIds(text).flatMap(({ id, tactic }) => [id, tactic ?? []].flat())
