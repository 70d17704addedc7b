import { readNodes } from '../../attack/classification/nodes.ts'
import { type Resolution, resolveAttacks } from '../../attack/classification/resolve.ts'
import { textFrom } from '../../domain/text-from.ts'
import type { Context } from '../../engine/context.ts'
import type { FoundAttack } from '../../formats/finding.ts'
import type { ParsedEntity } from './parse-entity.ts'

/** Gives entities of a document the attack nodes that its words mean; what was replaced, is unknown or cannot be read is reported. */
export async function classify(ctx: Context, entities: readonly ParsedEntity[]): Promise<ParsedEntity[]> {
  const said = entities.map(attacksIn)
  if (said.every((attacks) => attacks.length === 0)) return [...entities]
  const nodes = await readNodes(ctx)
  return entities.map((entity, i) => {
    const attacks = said[i] ?? []
    return attacks.length === 0 ? entity : withAttacks(entity, resolveAttacks(nodes, attacks))
  })
}

const attacksIn = ({ item, located }: ParsedEntity): FoundAttack[] => [
  ...(item.meta?.attacks ?? []).map((id) => ({ id: textFrom(id) })),
  ...(located.finding.entity.attacks ?? []),
]

function withAttacks(entity: ParsedEntity, { attacks, notes, losses }: Resolution): ParsedEntity {
  const { item, located } = entity
  const { finding } = located
  const isNothing = attacks.length === 0 && item.meta?.attacks === undefined
  return {
    ...entity,
    item: isNothing ? item : { ...item, meta: { ...item.meta, attacks: [...attacks] } },
    located:
      notes.length > 0 ? { ...located, finding: { ...finding, notes: [...(finding.notes ?? []), ...notes] } } : located,
    losses: [...entity.losses, ...losses],
  }
}
