import { Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery, idOf } from '../../api/lists.ts'
import type { EntityRuleEffect } from '../../api/resources.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { EffectList } from './effect-list.tsx'
import { EFFECTS, effectParameters } from './rule-effects.ts'

/** What entity rules have changed on an entity, if anything. Users without access to rules do not see this section. */
export function ChangedByRules({ entity }: { readonly entity: string }) {
  const canRead = useMay()('read rules')
  const list = useInfiniteQuery({
    ...endlessQuery<EntityRuleEffect>(EFFECTS, effectParameters({ entity })),
    enabled: canRead,
  })
  const effects = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (!canRead || (list.data && effects.length === 0)) return null
  return (
    <Stack gap="xs" component="section" aria-label="Changes by rules">
      <Title order={2} size="h4">
        Changed by rules
      </Title>
      <ErrorFaults error={list.error} />
      {list.isPending && <Skeleton h={40} role="status" aria-label="Loading changes by rules" />}
      {effects.length > 0 && (
        <TableFrame minWidth={560}>
          <Table aria-label="Changed by rules">
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={150}>Time</Table.Th>
                <Table.Th w={220}>Rule</Table.Th>
                <Table.Th>Changes</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {effects.map((effect) => (
                <Table.Tr key={effect.id}>
                  <Table.Td>
                    <Moment at={effect.created_at} />
                  </Table.Td>
                  <Table.Td>
                    <PageLink to={`/entity-rules/${idOf(effect.rule ?? '')}`}>{defangText(effect.rule_name)}</PageLink>
                  </Table.Td>
                  <Table.Td>
                    <EffectList effects={effect.effects} />
                    <EffectState effect={effect} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
      <ListEnd list={list} />
    </Stack>
  )
}

/** When effects were undone, or why an undo kept them. */
export function EffectState({ effect }: { readonly effect: Pick<EntityRuleEffect, 'undone_at' | 'kept'> }) {
  if (effect.undone_at === null && effect.kept === null) return null
  return (
    <Stack gap={0} mt={2}>
      {effect.undone_at !== null && (
        <Text size="xs" c="dimmed">
          Undone <Moment at={effect.undone_at} />
        </Text>
      )}
      {effect.kept !== null && (
        <Text size="xs" c="dimmed">
          Kept by undo: {effect.kept}
        </Text>
      )}
    </Stack>
  )
}
