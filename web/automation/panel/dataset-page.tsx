import { SummariseDataset } from '../../ai/summaries/summarise-dataset.tsx'
import { DatasetWithMatrix } from '../../attack/matrix/dataset-page.tsx'

/** The page of a dataset, with the matrix of its entities and a summary. */
export const DatasetWithSummary = () => (
  <DatasetWithMatrix actions={(dataset) => <SummariseDataset dataset={dataset} />} />
)
