import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../api/session.ts'
import type { CollectionModel } from '../generic/collections.ts'
import { ListPage } from '../generic/list-page.tsx'
import type { Row } from '../generic/list-table.tsx'
import { ObjectPage } from '../generic/object-page.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'
import { startRun } from './run-queries.ts'

const COLUMNS = ['name', 'type', 'is_active', 'execution_schedule', 'next_run_at', 'last_run']

/** All background tasks with their schedules, each with a button to run it. */
export const TaskList = ({ model }: { readonly model: CollectionModel }) => (
  <ListPage model={model} columns={COLUMNS} actions={(task) => <RunNow task={task} />} />
)

/** The page of a task. */
export const TaskPage = ({ model, id }: { readonly model: CollectionModel; readonly id: string }) => (
  <ObjectPage model={model} id={id} actions={(task) => <RunNow task={task} />} />
)

function RunNow({ task }: { readonly task: Row }) {
  const may = useMay()
  const navigate = useNavigate()
  const start = async () => {
    const run = await startRun(String(task.id))
    showToast(`Task “${task.name}” started`)
    await navigate({ to: `/runs/${run}` })
  }
  // Tasks that need parameters are started from the object they belong to.
  if (!may('modify tasks') || task.is_active === false || task.is_owned === true) return null
  return (
    <Button
      size="compact-xs"
      variant="light"
      onClick={() => void start().catch(showErrorToast)}
      aria-label={`Run now: ${task.name}`}
    >
      Run now
    </Button>
  )
}
