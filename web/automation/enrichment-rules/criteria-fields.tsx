import { ActionIcon, Button, Group, Input, Select, Stack, Text } from '@mantine/core'
import { ENTITY_TYPES } from '../../domain/entity-types.ts'
import { TLP_OPTIONS } from '../../domain/tlp.ts'
import { Icon } from '../../ui/icon.tsx'
import { NameSelect } from '../../ui/name-select.tsx'
import type { RuleFieldsProps } from './rule-form.tsx'
import { type CriterionValues, NEW_CRITERION } from './rule-form-values.ts'

const TYPES = Object.entries(ENTITY_TYPES).map(([value, label]) => ({ value, label }))

/** The criteria of a rule, of which one must match. */
export function CriteriaFields({ values: { criteria }, set, faults }: RuleFieldsProps) {
  const change = (at: number, changed: Partial<CriterionValues>) =>
    set({ criteria: criteria.map((each, i) => (i === at ? { ...each, ...changed } : each)) })
  return (
    <Input.Wrapper
      label="Applies to"
      labelElement="div"
      description={
        criteria.length === 0
          ? 'All new observables.'
          : 'Observables of entities that match one of these lines. All conditions of a line must hold.'
      }
      error={faults.criteria}
    >
      <Stack gap="xs" mt={6}>
        {criteria.map((criterion, i) => (
          <Stack key={String(i)} gap={4}>
            {i > 0 && (
              <Text size="xs" c="dimmed">
                or
              </Text>
            )}
            <Group gap="xs" wrap="nowrap">
              <Group gap="xs" flex={1}>
                <Select
                  aria-label={`Entity type of criterion ${i + 1}`}
                  placeholder="Any entity type"
                  flex="1 1 160px"
                  data={TYPES}
                  searchable
                  clearable
                  value={criterion.type || null}
                  onChange={(type) => change(i, { type: type ?? '' })}
                />
                <div style={{ flex: '1 1 180px' }}>
                  <NameSelect
                    of="sources"
                    label={`Source of criterion ${i + 1}`}
                    isBare
                    placeholder="Any source"
                    value={criterion.source}
                    onChange={(source) => change(i, { source })}
                  />
                </div>
                <Select
                  aria-label={`TLP of criterion ${i + 1}`}
                  placeholder="Any TLP"
                  flex="1 1 130px"
                  data={TLP_OPTIONS}
                  clearable
                  value={criterion.tlp || null}
                  onChange={(tlp) => change(i, { tlp: tlp ?? '' })}
                />
              </Group>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove criterion ${i + 1}`}
                onClick={() => set({ criteria: criteria.filter((_, other) => other !== i) })}
              >
                <Icon name="close" size={14} />
              </ActionIcon>
            </Group>
          </Stack>
        ))}
        <div>
          <Button size="compact-sm" variant="default" onClick={() => set({ criteria: [...criteria, NEW_CRITERION] })}>
            Add criterion
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}
