package io.github.liquidscheduler.prediction;

/** The source of a prediction, the most trustworthy first. */
public enum Provenance {
  /** It was measured for this very case. */
  MEASURED,
  /** A learned model knows this family of workloads. */
  LEARNED,
  /** A learned model knows similar families only. */
  SIMILAR,
  /** A formula over what was stated, nothing learned. */
  PRIOR,
  /** Nothing is known; a documented default. */
  DEFAULT
}
