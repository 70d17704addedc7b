import { Accordion, Badge, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { type ChangeReport, matchingSections, type ReportSection, remarksOf, sectionsOf } from './change-report.ts'

/** What differs between two versions of a framework. */
export function ChangeReportView({ report }: { readonly report: ChangeReport }) {
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed).trim()
  const all = useMemo(() => sectionsOf(report), [report])
  const sections = useMemo(() => matchingSections(all, wanted), [all, wanted])
  const remarks = remarksOf(report)
  return (
    <Stack gap="sm">
      {all.length === 0 && remarks.length === 0 && <Text size="sm">Nothing changes.</Text>}
      {all.length > 0 && (
        <TextInput
          type="search"
          aria-label="Filter changes"
          placeholder="Filter by id or name"
          w={{ base: '100%', xs: 300 }}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {all.length > 0 && sections.length === 0 && <Text size="sm">No change matches.</Text>}
      {sections.length > 0 && (
        <Accordion
          // A search opens what it found.
          key={wanted}
          variant="separated"
          multiple
          radius="sm"
          defaultValue={wanted === '' ? [] : sections.map(({ name }) => name)}
        >
          {sections.map((section) => (
            <Section key={section.name} section={section} />
          ))}
        </Accordion>
      )}
      {remarks.length > 0 && (
        <Text size="sm" c="dimmed">
          {remarks.join('. ')}.
        </Text>
      )}
    </Stack>
  )
}

/** How many lines of a section are shown at first. */
const FIRST_LINES = 50

function Section({ section: { name, label, description, changes } }: { readonly section: ReportSection }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? changes : changes.slice(0, FIRST_LINES)
  const hasAfter = changes.some(({ after }) => after !== undefined)
  return (
    <Accordion.Item value={name}>
      <Accordion.Control>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {label}
          </Text>
          <Badge variant="default" radius="xs">
            {changes.length.toLocaleString('en')}
          </Badge>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Text size="sm" c="dimmed" mb="xs">
          {description}
        </Text>
        <Table.ScrollContainer minWidth={420}>
          <Table aria-label={label} verticalSpacing={4}>
            <Table.Tbody>
              {shown.map(({ key, id, name: title, after }) => (
                <Table.Tr key={key}>
                  <Table.Td className="code" w={170}>
                    {id}
                  </Table.Td>
                  <Table.Td>{title}</Table.Td>
                  {hasAfter && <Table.Td>{after}</Table.Td>}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {shown.length < changes.length && (
          <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setIsWhole(true)}>
            Show all {changes.length.toLocaleString('en')}
          </Button>
        )}
      </Accordion.Panel>
    </Accordion.Item>
  )
}
