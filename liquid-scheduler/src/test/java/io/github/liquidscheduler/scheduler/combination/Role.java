package io.github.liquidscheduler.scheduler.combination;

/** What a job of a stage is for: features give jobs their traits by role. */
enum Role {
  /** It runs first, and others want its GPUs. */
  HOLDER,
  /** It runs first too, and is the one beside which others may share GPUs. */
  HOST,
  /** It comes later, needs more than is free, and has the better right. */
  TAKER,
  /** It is small and short. */
  SMALL,
  /** It outlasts all others. */
  LONG,
  /** It comes while another event is only half decided, and is the most urgent. */
  LATE,
  /** It wants all GPUs, comes before others, and is cancelled. */
  WALL,
  /** It cannot end before its deadline, wherever deadlines count. */
  DOOMED
}
