import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Node, type Nodes, readNodes } from '../../attack/classification/nodes.ts'
import { resolveAttacks } from '../../attack/classification/resolve.ts'
import { MATRICES } from '../../attack/frameworks/framework.ts'
import type { Context } from '../../engine/context.ts'
import { findAttackIds } from '../../formats/text/attack-ids.ts'
import type { Sentences } from '../../formats/text/sentences.ts'
import type { Token } from '../names/tokens.ts'
import { AttackEvidence, type FoundBy, type FoundTechnique } from './attack-evidence.ts'
import { piecesOf } from './pieces.ts'
import { type TechniqueIndex, techniqueIndex } from './technique-index.ts'
import { findTechniqueNames } from './technique-names.ts'

export const ATTACK_LIMITS = {
  /** Sentences that are compared with the texts of techniques. */
  sentences: 5_000,
  /** Techniques of one sentence. */
  ofSentence: 5,
  techniques: 100,
}

/** A sentence with a lower score has only everyday words in common with the texts of techniques. */
export const LEAST_SCORE = 0.45
/** The score at which a sentence is as likely to be about a technique as not. */
const HALF = 20

const SCORES: Readonly<Record<Exclude<FoundBy, 'text'>, number>> = { id: 1, name: 0.9 }
/** Several techniques have such a name. */
const AMBIGUOUS_NAME = 0.6

/** Sentences between two turns of other requests. */
const PORTION = 20

/** Techniques of DISARM share most words with any report, so that a text must be about influence. */
const DISARM = /\b(?:disarm|disinformation|misinformation|propaganda|influence (?:operations?|campaigns?))\b/i

/** What was found, and remarks for users. */
export interface FoundAttacks {
  readonly attacks: readonly FoundTechnique[]
  readonly notes: readonly string[]
}

/** The attack nodes that a text names by id or by name, and those that its sentences are similar to, best first. */
export async function findAttacks(
  ctx: Context,
  text: string,
  tokens: readonly Token[],
  sentences: Sentences,
): Promise<FoundAttacks> {
  const nodes = await readNodes(ctx)
  const index = await techniqueIndex(ctx, nodes)
  const isDisarm = DISARM.test(text)
  const evidence = new AttackEvidence(sentences)
  addIds(evidence, nodes, text)
  addNames(evidence, nodes, text, tokens, isDisarm)
  const isComplete = await addSimilar(ctx, evidence, index, text, sentences, isDisarm)
  const attacks = evidence.best(ATTACK_LIMITS.techniques)
  const notes = [
    ...(index.hasTexts ? [] : [WITHOUT_TEXTS]),
    ...(isComplete ? [] : [`Only the first ${ATTACK_LIMITS.sentences} sentences were compared with techniques.`]),
  ]
  return { attacks: await withProcedures(ctx, attacks), notes }
}

const WITHOUT_TEXTS =
  'Techniques were suggested by their ids and names only. Load the texts of ATT&CK to get better suggestions.'

function addIds(evidence: AttackEvidence, nodes: Nodes, text: string): void {
  for (const { id, tactic, start, end } of findAttackIds(text)) {
    const said = { id, ...(tactic !== undefined && { tactics: [{ name: tactic }] }) }
    const { attacks, unknown } = resolveAttacks(nodes, [said])
    const meant = attacks.filter((each) => !unknown.includes(each)).flatMap((each) => nodes.get(each) ?? [])
    for (const places of byTechnique(meant)) evidence.add(places, { by: 'id', start, end, score: SCORES.id })
  }
}

function addNames(
  evidence: AttackEvidence,
  nodes: Nodes,
  text: string,
  tokens: readonly Token[],
  isDisarm: boolean,
): void {
  for (const { start, end, meaning } of findTechniqueNames(nodes, text, tokens)) {
    const techniques = byTechnique(meaning.filter(({ matrix }) => isDisarm || matrix !== 'DISARM'))
    const matrices = Map.groupBy(techniques, ([first]) => first?.matrix)
    // Techniques of Mobile and ICS are called like those of Enterprise, which most reports are about.
    const [likely] = MATRICES.filter((matrix) => matrices.has(matrix))
    for (const [matrix, named] of matrices) {
      const score = matrix === likely && named.length === 1 ? SCORES.name : AMBIGUOUS_NAME
      for (const places of named) evidence.add(places, { by: 'name', start, end, score })
    }
  }
}

const byTechnique = (nodes: readonly Node[]): Node[][] => [
  ...Map.groupBy(nodes, ({ matrix, external_id }) => `${matrix} ${external_id}`).values(),
]

/** Compares each sentence with the texts of techniques. Responds whether all were compared. */
async function addSimilar(
  ctx: Context,
  evidence: AttackEvidence,
  index: TechniqueIndex,
  text: string,
  sentences: Sentences,
  isDisarm: boolean,
): Promise<boolean> {
  const isMeant = (technique: number) => isDisarm || index.techniques[technique]?.matrix !== 'DISARM'
  const seen = new Set<string>()
  for (const { start, end } of piecesOf(text, sentences)) {
    const sentence = text.slice(start, end)
    if (seen.has(sentence)) continue
    if (seen.size === ATTACK_LIMITS.sentences) return false
    seen.add(sentence)
    for (const { technique, score: raw, nearest } of index.rank(sentence, ATTACK_LIMITS.ofSentence, isMeant)) {
      const score = raw / (raw + HALF)
      if (score < LEAST_SCORE) break
      const { places = [] } = index.techniques[technique] ?? {}
      evidence.add(places, { by: 'text', start, end, score, procedure: index.procedureOf(nearest) })
    }
    if (seen.size % PORTION !== 0) continue
    await setImmediate()
    if (ctx.signal?.aborted) return false
  }
  return true
}

/** Adds the sentences of the frameworks that were most similar. */
async function withProcedures({ db }: Context, attacks: readonly FoundTechnique[]): Promise<FoundTechnique[]> {
  const ids = new Set(attacks.flatMap(({ evidence }) => evidence.flatMap(({ procedure }) => procedure ?? [])))
  const { rows } = await sql<{ id: number; text: string }>`
    select id, text from attack_procedures where id = any(${[...ids]}::integer[])`.execute(db)
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  return attacks.map((attack) => ({
    ...attack,
    evidence: attack.evidence.map((each) => ({ ...each, similarTo: texts.get(each.procedure ?? 0) ?? null })),
  }))
}
