import { Stack, Table, Text } from '@mantine/core'

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['heron phish*', 'one of the words, the second only begun'],
  ['"spear phishing" AND NOT tags:old', 'a phrase, without what has a tag'],
  ['type:(malware OR tool)', 'one of two values'],
  ['created_at:[now-7d TO now]', 'what came in the last week'],
  ['sources.name:"My source"', 'a value with a space in it'],
  ['_exists_:meta.taxonomies', 'what has a value at all'],
  ['\\(', 'a character that means something else, as itself'],
]

/** Query examples, shown after a syntax error. */
export function QueryHelp() {
  return (
    <Stack gap="xs" maw={640}>
      <Text size="sm" c="dimmed">
        Nothing was searched: the query cannot be read. Some that can:
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
