package io.github.liquidscheduler.scheduling;

/** Why a running job stopped without having done its work. */
public enum Failure {
  /** A process of the job ended with an error. */
  CRASHED,
  /** A process needed more device or host memory than it was granted. */
  OUT_OF_MEMORY,
  /** The embedder could not carry out the start. */
  NOT_STARTED
}
