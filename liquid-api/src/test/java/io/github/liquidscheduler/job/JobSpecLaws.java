package io.github.liquidscheduler.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.JobArbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class JobSpecLaws {

  @Property
  void aBuilderThatStartsFromAJobBuildsIt(@ForAll("jobs") JobSpec job) {
    JobSpec copy = job.toBuilder().build();

    assertThat(copy).isEqualTo(job).hasSameHashCodeAs(job);
  }

  @Property
  void aJobWithAnotherPriorityIsAnotherJob(@ForAll("jobs") JobSpec job) {
    assertThat(job.toBuilder().priority(job.priority() ^ 1).build()).isNotEqualTo(job);
  }

  @Property
  void tasksAndGpusAreThoseOfTheRoles(@ForAll("jobs") JobSpec job) {
    long tasks = job.roles().stream().mapToLong(TaskRole::count).sum();
    long gpus = job.roles().stream().mapToLong(TaskRole::gpus).sum();

    assertThat(job.tasks()).isEqualTo((int) tasks);
    assertThat(job.gpus()).isEqualTo((int) gpus);
  }

  @Property
  void allTasksOfTheSizedRolesAreAnAllowedSize(@ForAll("jobs") JobSpec job) {
    int tasks = job.sizedRoles().stream().mapToInt(TaskRole::count).sum();

    assertThat(job.parallelism().allowedSizes()).contains(tasks).isSorted();
  }

  @Property
  void aDemandsBuilderBuildsItAgain(@ForAll("requests") ResourceRequest request) {
    assertThat(request.toBuilder().build()).isEqualTo(request).hasSameHashCodeAs(request);
  }

  @Provide
  Arbitrary<JobSpec> jobs() {
    return JobArbitraries.jobs();
  }

  @Provide
  Arbitrary<ResourceRequest> requests() {
    return JobArbitraries.requests();
  }
}
