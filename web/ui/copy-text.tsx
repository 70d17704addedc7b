import { Group, Paper, Text } from '@mantine/core'
import { CopyAs } from './copy-as.tsx'

/** A text that is shown only once, with a copy button. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" align="center">
        <Text className="code" size="sm" aria-label={label}>
          {text}
        </Text>
        <CopyAs text={text} />
      </Group>
    </Paper>
  )
}
