import { Table, Text } from '@mantine/core'
import { idOf } from '../../api/lists.ts'
import type { EntityRuleEffect } from '../../api/resources.ts'
import { defangText } from '../../domain/defang-text.ts'
import { EffectState } from '../../intelligence/entity/changed-by-rules.tsx'
import { EffectList } from '../../intelligence/entity/effect-list.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'

/** What a rule changed on which entities, and how it was applied. */
export const EffectTable = ({ effects }: { readonly effects: readonly EntityRuleEffect[] }) => (
  <TableFrame minWidth={700}>
    <Table aria-label="Changes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={150}>Time</Table.Th>
          <Table.Th>Entity</Table.Th>
          <Table.Th w="42%">Changes</Table.Th>
          <Table.Th w={110}>Applied</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {effects.map((effect) => (
          <Table.Tr key={effect.id}>
            <Table.Td>
              <Moment at={effect.created_at} />
            </Table.Td>
            <Table.Td>
              <PageLink to={`/entities/${idOf(effect.entity ?? '')}`}>{defangText(effect.title)}</PageLink>
            </Table.Td>
            <Table.Td>
              <EffectList effects={effect.effects} />
              <EffectState effect={effect} />
            </Table.Td>
            <Table.Td>
              {effect.run === null ? (
                <Text size="sm" c="dimmed">
                  When stored
                </Text>
              ) : (
                <PageLink to={`/runs/${idOf(effect.run)}`}>By a run</PageLink>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </TableFrame>
)
