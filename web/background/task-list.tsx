import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { useMay } from '../api/session.ts'
import type { CollectionModel } from '../generic/collections.ts'
import { ListPage } from '../generic/list-page.tsx'
import type { Row } from '../generic/list-table.tsx'
import { ObjectPage } from '../generic/object-page.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'

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
  const queries = useQueryClient()
  const navigate = useNavigate()
  const run = async () => {
    const { data } = await call<{ data: { id: string } }>('POST', 'tasks/runs', { data: { task: task.id } })
    showToast(`Task “${task.name}” started`)
    await queries.invalidateQueries({ queryKey: ['tasks/runs'] })
    await navigate({ to: `/runs/${data.id}` })
  }
  // Tasks that need parameters are started from the object they belong to.
  if (!may('modify tasks') || task.is_active === false || task.is_owned === true) return null
  return (
    <Button
      size="compact-xs"
      variant="light"
      onClick={() => void run().catch(showErrorToast)}
      aria-label={`Run now: ${task.name}`}
    >
      Run now
    </Button>
  )
}
