import { Code, Group, Text } from '@mantine/core'
import { CopyAs } from '../../ui/copy-as.tsx'
import { defangText } from '../../ui/defang-text.ts'
import type { TabProps } from './entity.tsx'

/** An entity as the API answers it, but for its indicators, which are defanged wherever they are on a screen. */
export function JsonTab({ entity }: TabProps) {
  const text = JSON.stringify(entity, null, 2)
  const shown = defangText(text)
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          As the API answers it; indicators are shown defanged.
        </Text>
        <Group gap="xs">
          <CopyAs text={text} label="Copy as it is" />
          <CopyAs text={shown} label="Copy defanged" />
        </Group>
      </Group>
      <Code block tabIndex={0} aria-label="JSON of the entity" role="region">
        {shown}
      </Code>
    </>
  )
}
