import { Code, Group, Text } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import { CopyAs } from '../../ui/copy-as.tsx'
import type { TabProps } from './entity.tsx'

/** The JSON of an entity as returned by the API, with indicators defanged on screen. */
export function JsonTab({ entity }: TabProps) {
  const text = JSON.stringify(entity, null, 2)
  const shown = defangText(text)
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          The entity as returned by the API. Indicators are shown defanged.
        </Text>
        <Group gap="xs">
          <CopyAs text={text} label="Copy as stored" />
          <CopyAs text={shown} label="Copy defanged" />
        </Group>
      </Group>
      <Code block tabIndex={0} aria-label="Entity JSON" role="region">
        {shown}
      </Code>
    </>
  )
}
