package io.github.liquidscheduler.lab.published;

/**
 * The placements of which Liquid's paper published run times: four of a parameter server and two
 * workers, and two of jobs of one task.
 */
public enum PlacementShape {
  /** The server and both workers on one node. */
  TOGETHER("pww"),
  /** The server and a worker on one node, the other worker on another. */
  ONE_WORKER_APART("pw:w"),
  /** Each on a node of its own. */
  ALL_APART("p:w:w"),
  /** The workers on one node, the server on another. */
  SERVER_APART("p:ww"),
  /** One task of one GPU. */
  ONE_GPU("1 GPU"),
  /** One task of two GPUs. */
  TWO_GPUS("2 GPUs");

  private final String notation;

  PlacementShape(String notation) {
    this.notation = notation;
  }

  /** Returns the paper's notation, such as {@code pw:w}: a colon between nodes. */
  public String notation() {
    return notation;
  }
}
