import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  Input,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fieldsQuery } from '../../search/search-queries.ts'
import { Icon } from '../../ui/icon.tsx'
import {
  type Branch,
  type Condition,
  NEW_CONDITION,
  NEW_TREE,
  type Place,
  type TreeNode,
  withAdded,
  withNode,
  withoutNode,
} from './criteria-tree.ts'

interface TreeEditorProps {
  readonly tree: Branch
  readonly onChange: (tree: Branch) => void
  readonly error?: string | undefined
}

/** Groups within groups are hard to read; the server allows more. */
const MAX_DEPTH = 3

/** Conditions on fields, combined by AND and OR. */
export const TreeEditor = ({ tree, onChange, error }: TreeEditorProps) => (
  <Input.Wrapper
    label="Conditions"
    description="Values and regular expressions are compared with the whole value of a field."
    error={error}
    labelElement="div"
    descriptionProps={{ mb: 6 }}
  >
    <BranchEditor tree={tree} branch={tree} place={[]} onChange={onChange} />
  </Input.Wrapper>
)

interface NodeProps extends Omit<TreeEditorProps, 'error'> {
  readonly place: Place
}

function BranchEditor({ tree, branch, place, onChange }: NodeProps & { readonly branch: Branch }) {
  const add = (node: TreeNode) => onChange(withAdded(tree, place, node))
  return (
    <Paper withBorder p="sm" role="group" aria-label={place.length === 0 ? 'Conditions' : 'Group of conditions'}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Which conditions must hold"
            data={[
              { value: 'AND', label: 'All of these' },
              { value: 'OR', label: 'Any of these' },
            ]}
            value={branch.operator}
            onChange={(operator) =>
              onChange(withNode(tree, place, { ...branch, operator: operator as Branch['operator'] }))
            }
          />
          {place.length > 0 && <Remove label="Remove group" onClick={() => onChange(withoutNode(tree, place))} />}
        </Group>
        {branch.nodes.map((node, i) => {
          const at = [...place, i]
          return node.kind === 'branch' ? (
            <BranchEditor key={at.join()} tree={tree} branch={node} place={at} onChange={onChange} />
          ) : (
            <ConditionEditor key={at.join()} tree={tree} condition={node} place={at} onChange={onChange} />
          )
        })}
        <Group gap="xs">
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<Icon name="plus" size={12} />}
            onClick={() => add(NEW_CONDITION)}
          >
            Add condition
          </Button>
          {place.length + 1 < MAX_DEPTH && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => add({ ...NEW_TREE, operator: branch.operator === 'AND' ? 'OR' : 'AND' })}
            >
              Add group
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

const COMPARISONS = [
  { value: 'value', label: 'is' },
  { value: 'not value', label: 'is not' },
  { value: 'pattern', label: 'matches regex' },
  { value: 'not pattern', label: 'does not match regex' },
]

function ConditionEditor({ tree, condition, place, onChange }: NodeProps & { readonly condition: Condition }) {
  const { data: fields = [] } = useQuery(fieldsQuery('entities'))
  const change = (part: Partial<Condition>) => onChange(withNode(tree, place, { ...condition, ...part }))
  const { path, isNegated, isPattern, value } = condition
  return (
    <Group gap="xs" wrap="wrap" align="flex-start">
      <Autocomplete
        aria-label="Field"
        placeholder="data.title"
        data={fields.map(({ name }) => name).filter((name) => /^(?:data|meta)\./.test(name))}
        limit={30}
        value={path}
        onChange={(text) => change({ path: text })}
        flex="1 1 9rem"
        classNames={{ input: 'code' }}
      />
      <Select
        aria-label="Comparison"
        data={COMPARISONS}
        allowDeselect={false}
        value={`${isNegated ? 'not ' : ''}${isPattern ? 'pattern' : 'value'}`}
        onChange={(chosen) =>
          change({ isNegated: chosen?.startsWith('not ') ?? false, isPattern: chosen?.endsWith('pattern') ?? false })
        }
        flex="1 1 11rem"
      />
      <TextInput
        aria-label={isPattern ? 'Regular expression' : 'Value'}
        placeholder={isPattern ? 'apt[0-9]+.*' : 'Whole value'}
        value={value}
        onChange={({ currentTarget }) => change({ value: currentTarget.value })}
        flex="2 1 9rem"
        {...(isPattern && { classNames: { input: 'code' } })}
      />
      <Remove label="Remove condition" onClick={() => onChange(withoutNode(tree, place))} />
    </Group>
  )
}

const Remove = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" mt={3} aria-label={label} onClick={onClick}>
    <Icon name="close" size={14} />
  </ActionIcon>
)
