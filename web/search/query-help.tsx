import { Stack, Table, Text } from '@mantine/core'

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['heron phish*', 'any of the words, the second as a prefix'],
  ['"spear phishing" AND NOT tags:old', 'a phrase, excluding a tag'],
  ['type:(malware OR tool)', 'either of two values'],
  ['created_at:[now-7d TO now]', 'created in the last week'],
  ['sources.name:"My source"', 'a value that contains a space'],
  ['_exists_:meta.taxonomies', 'any value is set'],
  ['\\(', 'a literal special character'],
]

/** Query examples, shown after a syntax error. */
export function QueryHelp() {
  return (
    <Stack gap="xs" maw={640}>
      <Text size="sm" c="dimmed">
        The query has a syntax error and was not run. Examples of valid queries:
      </Text>
      <Table withRowBorders={false} verticalSpacing={3}>
        <Table.Tbody>
          {EXAMPLES.map(([query, meaning]) => (
            <Table.Tr key={query}>
              <Table.Td className="code">{query}</Table.Td>
              <Table.Td c="dimmed">{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
