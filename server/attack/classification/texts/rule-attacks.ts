import type { FoundAttack } from '../../../formats/finding.ts'
import type { Matrix } from '../../frameworks/framework.ts'
import type { Node, Nodes } from '../nodes.ts'
import type { RuleWords } from './rule-words.ts'

/** The kill chain of a matrix in documents. */
const CHAINS: Readonly<Record<Matrix, string>> = {
  'enterprise-attack': 'mitre-attack',
  'mobile-attack': 'mitre-mobile-attack',
  'ics-attack': 'mitre-ics-attack',
  DISARM: 'disarm',
}

/** Whether the loaded versions have a technique or a tactic. */
export const isKnown = (nodes: Nodes, id: string): boolean =>
  nodes.get(id) !== undefined || nodes.placesOf(id).length > 0

/** The words of a rule, with those in its free texts that are known. */
export function withMentioned(nodes: Nodes, { mentioned, ...words }: RuleWords): Omit<RuleWords, 'mentioned'> {
  const known = mentioned.filter((id) => isKnown(nodes, id))
  const [techniques, tactics] = [known.filter((id) => !id.startsWith('TA')), known.filter((id) => id.startsWith('TA'))]
  return {
    ...words,
    techniques: [...words.techniques, ...techniques],
    tactics: [...words.tactics, ...tactics],
  }
}

/**
 * What a detection rule detects. A tactic of the rule narrows the techniques that are below it; techniques that are below none of its tactics
 * are meant in all their places, and a tactic above none of its techniques is meant by itself.
 */
export function ruleAttacks(
  nodes: Nodes,
  { techniques, tactics }: Pick<RuleWords, 'techniques' | 'tactics'>,
): FoundAttack[] {
  const above = techniques.map((id) => tacticsAbove(nodes, id))
  const matrix = above.find((nodesAbove) => nodesAbove.length > 0)?.[0]?.matrix ?? matrixOf(nodes, tactics)
  const given = new Set(tactics)
  const used = new Set<string>()
  const found = techniques.map((id, i): FoundAttack => {
    const named = [...new Set(above[i]?.flatMap(namesOf))].filter((name) => given.has(name))
    for (const name of named) used.add(name)
    return { id, tactics: named.map((name) => ({ name })) }
  })
  const rest = tactics.filter((name) => !used.has(name))
  if (rest.length === 0) return found
  return [
    ...found,
    { tactics: rest.map((name) => ({ name, ...(!name.startsWith('TA') && { chain: CHAINS[matrix] }) })) },
  ]
}

const tacticsAbove = (nodes: Nodes, technique: string): Node[] =>
  nodes.placesOf(technique).flatMap((place) => nodes.tacticOf(place) ?? [])

/** Most rules are about enterprises, unless one of their tactics is only in another matrix. */
function matrixOf(nodes: Nodes, tactics: readonly string[]): Matrix {
  const matrices = tactics.map((name) => nodes.tacticsNamed(name).map(({ matrix }) => matrix))
  const foreign = matrices.find((each) => each.length > 0 && !each.includes('enterprise-attack'))
  return foreign?.[0] ?? 'enterprise-attack'
}

const namesOf = ({ id, short_names }: Node): string[] => [id, ...short_names]
