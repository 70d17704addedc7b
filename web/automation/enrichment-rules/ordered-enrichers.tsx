import { ActionIcon, Group, Input, Paper, Select, Stack, Text } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { RuleFieldsProps } from './rule-form.tsx'
import { moved } from './rule-form-values.ts'

/** The enrichers of a rule, in their order. */
export function OrderedEnrichers({ values: { enrichers }, set, faults }: RuleFieldsProps) {
  const names = useNames('enrichers')
  const rest = [...names].filter(([id]) => !enrichers.includes(id)).map(([value, label]) => ({ value, label }))
  const name = (id: string) => nameOf(names, `enrichers/${id}`)
  return (
    <Input.Wrapper
      label="Enrichers"
      labelElement="div"
      description="Each looks up the observables whose types it supports."
      error={faults.enrichers}
    >
      <Stack gap={6} mt={6}>
        {enrichers.map((id, i) => (
          <Paper key={id} withBorder px="sm" py={4}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm">
                {i + 1}. {name(id)}
              </Text>
              <Group gap={2} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={i === 0}
                  aria-label={`Move ${name(id)} up`}
                  onClick={() => set({ enrichers: moved(enrichers, i, -1) })}
                >
                  ↑
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={i === enrichers.length - 1}
                  aria-label={`Move ${name(id)} down`}
                  onClick={() => set({ enrichers: moved(enrichers, i, 1) })}
                >
                  ↓
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${name(id)}`}
                  onClick={() => set({ enrichers: enrichers.filter((each) => each !== id) })}
                >
                  <Icon name="close" size={14} />
                </ActionIcon>
              </Group>
            </Group>
          </Paper>
        ))}
        {names.size === 0 ? (
          <Text size="sm" c="dimmed">
            There are no enrichers yet. <PageLink to="/enrichers">Set up an enricher</PageLink>
          </Text>
        ) : (
          <Select
            aria-label="Add enricher"
            placeholder="Add enricher"
            data={rest}
            searchable
            value={null}
            disabled={rest.length === 0}
            nothingFoundMessage="No matches"
            onChange={(id) => id !== null && set({ enrichers: [...enrichers, id] })}
          />
        )}
      </Stack>
    </Input.Wrapper>
  )
}
