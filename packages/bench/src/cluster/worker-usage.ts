export interface WorkerUsage {
  readonly pid: number;
  readonly used: NodeJS.CpuUsage;
  readonly requests: number;
  /** Event streams that were opened. */
  readonly streams: number;
}
