import { Code, Group, Stack, Text } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import type { Detonation } from './detonation-queries.ts'
import classes from './process-tree.module.css'
import { type ProcessNode, processTree } from './process-tree.ts'

/** The processes that the sample started, as a tree. */
export function ProcessTree({ processes }: Pick<Detonation, 'processes'>) {
  if (processes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The report names no processes.
      </Text>
    )
  return (
    <section aria-label="Process tree">
      <Branch nodes={processTree(processes)} />
    </section>
  )
}

const Branch = ({ nodes }: { readonly nodes: readonly ProcessNode[] }) => (
  <ul className={classes.branch}>
    {nodes.map(({ key, process, children }) => (
      <li key={key}>
        <Stack gap={2} py={4}>
          <Group gap="xs">
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {defangText(process.name)}
            </Text>
            {process.pid !== null && (
              <Text size="xs" c="dimmed">
                PID {process.pid}
              </Text>
            )}
          </Group>
          {process.command_line && (
            <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', alignSelf: 'flex-start' }}>
              {defangText(process.command_line)}
            </Code>
          )}
        </Stack>
        {children.length > 0 && <Branch nodes={children} />}
      </li>
    ))}
  </ul>
)
