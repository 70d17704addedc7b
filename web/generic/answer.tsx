import { Table, Text } from '@mantine/core'
import { FieldValue } from './field-value.tsx'
import { type FieldModel, fieldLabel, type Kind } from './fields.ts'

/** The result of an action, as rows; its labels are derived from the property names. */
export function Answer({ value }: { readonly value: unknown }) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return <FieldValue field={fieldFor('answer', value)} value={value} />
  const entries = Object.entries(value)
  if (entries.length === 0) return <Text>The action completed.</Text>
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {entries.map(([name, inner]) => (
          <Table.Tr key={name}>
            <Table.Th w={180}>{fieldLabel(name)}</Table.Th>
            <Table.Td>
              <FieldValue field={fieldFor(name, inner)} value={inner} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

const kindFor = (value: unknown): Kind => {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return TIME.test(value) ? 'time' : 'text'
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return 'texts'
  return typeof value === 'object' ? 'json' : 'text'
}

const fieldFor = (name: string, value: unknown): FieldModel => ({
  name,
  label: fieldLabel(name),
  kind: kindFor(value),
  isRequired: false,
  isNullable: true,
  isReadOnly: true,
})
