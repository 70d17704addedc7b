import { type ButtonProps, List, Stack, Text } from '@mantine/core'
import { useMay } from '../../api/session.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { type FrameworkLoad, frameworkName } from './framework.ts'
import { undoLoad } from './load-version.ts'
import { usesInWords } from './uses.ts'

interface UndoLoadProps {
  readonly load: FrameworkLoad
  readonly size?: NonNullable<ButtonProps['size']>
}

/** Goes back to the version before a load, after a confirmation. */
export function UndoLoad({ load, size = 'compact-sm' }: UndoLoadProps) {
  const mayChange = useMay()('modify attack')
  if (!mayChange) return null
  const name = `${frameworkName(load.matrix)} ${load.version}`
  const changed = load.remapped ? usesInWords(load.remapped) : ''
  const undo = async () => {
    await undoLoad(load.id)
    showToast(`${frameworkName(load.matrix)} is at version ${load.previous_version} again`)
  }
  return (
    <ConfirmButton
      label="Undo"
      title={`Undo ${name}?`}
      confirm={`Go back to ${load.previous_version}`}
      progress="This can take a minute. It continues if you leave the page."
      onConfirm={undo}
      button={{ size, variant: 'default', 'aria-label': `Undo ${name}` }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {frameworkName(load.matrix)} goes back to version {load.previous_version}:
        </Text>
        <List size="sm" spacing={4}>
          {changed !== '' && <List.Item>What was mapped is mapped back: {changed}.</List.Item>}
          <List.Item>Choices from the review queue are taken back, and open reviews are closed.</List.Item>
          <List.Item>Your own defenses, statuses and annotations are kept.</List.Item>
        </List>
        <Text size="sm">You can load {load.version} again at any time.</Text>
      </Stack>
    </ConfirmButton>
  )
}
