package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents that state everything: what was written once must stay readable and be written so. */
class GoldenDocumentsTest {

  private static final List<JobSpec> JOBS =
      resource("jobs.jsonl").lines().map(line -> JsonCodecs.JOB.read("golden", line)).toList();

  private static final ClusterTopology CLUSTER =
      JsonCodecs.CLUSTER.read("golden", resource("cluster.json"));

  @Test
  void jobsAreWrittenAsTheyWere() {
    assertThat(JOBS)
        .extracting(JsonCodecs.JOB::write)
        .isEqualTo(resource("jobs.jsonl").lines().toList());
  }

  @Test
  void clustersAreWrittenAsTheyWere() {
    assertThat(JsonCodecs.CLUSTER.writeIndented(CLUSTER)).isEqualTo(resource("cluster.json"));
  }

  /** If this fails, the API has learned to say something that JSON does not say yet. */
  @Test
  void everythingThatTheApiCanSayIsSaid() throws Exception {
    JobSpec full = JOBS.get(0);
    JobSpec bare = Samples.aJob("bare");

    JobSpec parts = JOBS.getLast();

    statesEverything(
        JobSpec.class, full, bare, "topologyParts", "hasStatedSizes", "hasLabelledRoles");
    statesEverything(TaskRole.class, parts.roles().getFirst(), bare.roles().getFirst(), "request");
    statesEverything(
        RoleGroup.class, parts.groups().getFirst(), RoleGroup.of("bare", "some", "others"));
    statesEverything(Workload.class, full.workload(), Workload.UNKNOWN);
    statesEverything(TopologyConstraint.class, full.topology(), TopologyConstraint.NONE);
    statesEverything(
        ResourceRequest.class,
        full.roles().get(0).request(),
        ResourceRequest.builder().build(),
        "share");
    statesEverything(Node.class, CLUSTER.nodes().get(0), Node.builder("bare").build());
    statesEverything(Domain.class, CLUSTER.domains().get(1), Domain.of("zone", "bare"));
  }

  @Test
  void everyKindIsSaid() {
    assertThat(DocumentKinds.of(JOBS.stream().flatMap(job -> partsOf(job.communication()))))
        .isEqualTo(DocumentKinds.of(Communication.class));
    assertThat(DocumentKinds.of(JOBS.stream().map(JobSpec::sharing)))
        .isEqualTo(DocumentKinds.of(Sharing.class));
    assertThat(DocumentKinds.of(JOBS.stream().map(JobSpec::synchronization)))
        .isEqualTo(DocumentKinds.of(Synchronization.class));
  }

  private static <T> void statesEverything(Class<T> type, T full, T bare, String... but)
      throws ReflectiveOperationException {
    for (Method method : type.getMethods()) {
      if (isAccessor(type, method) && !List.of(but).contains(method.getName())) {
        assertThat(method.invoke(full))
            .as("%s of the golden %s", method.getName(), type.getSimpleName())
            .isNotEqualTo(method.invoke(bare));
      }
    }
  }

  private static boolean isAccessor(Class<?> type, Method method) {
    return method.getDeclaringClass().equals(type)
        && method.getParameterCount() == 0
        && !method.getName().equals("toBuilder")
        && !Modifier.isStatic(method.getModifiers());
  }

  private static Stream<Communication> partsOf(Communication pattern) {
    return pattern instanceof Communication.Combined combined
        ? Stream.concat(Stream.of(combined), combined.parts().stream())
        : Stream.of(pattern);
  }

  private static String resource(String name) {
    try (InputStream in = GoldenDocumentsTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
