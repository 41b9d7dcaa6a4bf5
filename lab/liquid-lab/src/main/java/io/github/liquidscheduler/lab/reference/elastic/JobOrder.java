package io.github.liquidscheduler.lab.reference.elastic;

import java.util.List;

/** The order in which a policy considers the jobs of one run. Mutable. */
public interface JobOrder {

  /** Adds a job that has arrived. */
  void add(ElasticJobState job);

  /** Removes a job that has ended. */
  void remove(ElasticJobState job);

  /** Takes note that a job is now one queue lower. */
  default void demoted(ElasticJobState job) {}

  /** Takes note that the sizes of a plan are now those of the jobs. */
  default void planned() {}

  /** Returns the jobs in their order. */
  List<ElasticJobState> jobs();
}
