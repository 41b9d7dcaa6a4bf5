package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every refusal is one line that names the document, the place, the rule and the value. */
class BadInputTest {

  @Test
  void aFieldThatComesTwice() {
    refusesJob(
        "{'id': 'a', 'gpus': 1, 'id': 'b'}", "1, column 30: $.id: the field 'id' comes twice");
  }

  @Test
  void aTrailingComma() {
    refusesJob(
        "{'id': 'a', 'gpus': 1,}",
        "1, column 23: not valid JSON: Unexpected character ('}' (code 125)):"
            + " was expecting double-quote to start field name");
  }

  @Test
  void aNumberThatIsNone() {
    refusesJob(
        "{'id': 'a', 'gpus': NaN}", "1, column 24: not valid JSON: Non-standard token 'NaN'");
  }

  @Test
  void aNumberBeyondEveryDouble() {
    refusesJob(
        "{'id': 'a', 'gpus': 1, 'sharing': {'type': 'guaranteed', 'floor': 1e400}}",
        "1, column 67: $.sharing.floor: must be a number that a double can hold, but was 1e400");
  }

  @Test
  void anIntegerBeyondItsRange() {
    refusesJob(
        "{'id': 'a', 'gpus': 3000000000}",
        "1, column 21: $.gpus: must be an integer of 32 bits, but was 3000000000");
    refusesJob(
        "{'id': 'a', 'gpus': 1, 'expectedWork': {'iterations': 9223372036854775808}}",
        "1, column 55: $.expectedWork.iterations: must be an integer of 64 bits,"
            + " but was 9223372036854775808");
  }

  @Test
  void anEmptyDocument() {
    refusesJob("", "1, column 1: must be JSON, but was empty");
  }

  @Test
  void aDocumentThatEndsTooEarly() {
    refusesJob("{'id': 'a', 'gpus': 1", "1, column 22: the document ends before it is complete");
  }

  @Test
  void somethingAfterTheDocument() {
    refusesJob("{'id': 'a', 'gpus': 1} {}", "1, column 24: $: nothing may follow the document");
  }

  @Test
  void halfASurrogatePair() {
    refusesJob(
        "{'id': '\\ud800', 'gpus': 1}",
        "1, column 8: $.id: a string must be Unicode," + " but has half of a surrogate pair");
  }

  @Test
  void aMissingField() {
    refusesJob(
        "{'gpus': 1}", "1, column 1: $: the field 'id' is missing; the fields here are [gpus]");
  }

  @Test
  void aFieldThatNobodyKnows() {
    refusesCluster(
        """
        {"nodes": [
          {"id": "n0",
           "memroy": "16GiB"}
        ]}
        """,
        "3, column 14: $.nodes[0].memroy: unknown field 'memroy'; known are [count, id, domain,"
            + " gpus, cpu, memory, nic, nvlink, disk, datasets, labels]");
  }

  @Test
  void aValueOfAnotherType() {
    refusesJob("[]", "1, column 1: $: must be an object, but was an array");
    refusesJob("{'id': 7, 'gpus': 1}", "1, column 8: $.id: must be a string, but was 7");
    refusesJob("{'id': null, 'gpus': 1}", "1, column 8: $.id: must be a string, but was null");
    refusesJob("{'id': 'a', 'gpus': 1.0}", "1, column 21: $.gpus: must be an integer, but was 1.0");
    refusesJob(
        "{'id': 'a', 'gpus': '1'}", "1, column 21: $.gpus: must be an integer, but was \"1\"");
  }

  @Test
  void aKindThatNobodyKnows() {
    refusesJob(
        "{'id': 'a', 'gpus': 1, 'sharing': {'type': 'guarantee', 'floor': 1}}",
        "1, column 44: $.sharing.type: must be one of [exclusive, guaranteed, opportunistic],"
            + " but was \"guarantee\"");
  }

  @Test
  void aValueThatTheApiRefuses() {
    refusesJob("{'id': ' ', 'gpus': 1}", "1, column 8: $.id: a job id must not be blank");
    refusesJob(
        "{'id': 'a', 'gpus': 1, 'sharing': {'type': 'guaranteed', 'floor': 1.5}}",
        "1, column 35: $.sharing: a guaranteed floor of retained speed must be in (0, 1],"
            + " but was 1.5");
    refusesJob(
        "{'id': 'a', 'gpus': 8, 'parallelism': {'min': 1, 'max': 4}}",
        "1, column 39: $.parallelism: the preferred size must be allowed,"
            + " but 8 is not in [1, 2, 3, 4]");
  }

  @Test
  void aJobOfNoSizeOrOfTwo() {
    String rule = "1, column 1: $: a job must have either the field 'gpus' or the field 'roles'";

    refusesJob("{'id': 'a', 'gpu': 1}", rule + "; the fields here are [id, gpu]");
    refusesJob(
        "{'id': 'a', 'gpus': 1, 'roles': []}", rule + "; the fields here are [id, gpus, roles]");
    refusesJob(
        "{'id': 'a', 'roles': []}",
        "1, column 22: $.roles: a job needs at least one role, but had none");
  }

  @Test
  void anIdOfAJobThatComesTwice() {
    refuses(
        JsonCodecs.JOBS,
        """
        {"jobs": [
          {"id": "a", "gpus": 1},
          {"id": "b", "gpus": 1},
          {"id": "a", "gpus": 2}
        ]}
        """,
        "4, column 3: $.jobs[2]: ids of jobs must be distinct, but 'a' comes twice,"
            + " first in line 2");
  }

  @Test
  void negativeMemory() {
    refusesNode(
        "'memory': -1",
        "1, column 34: $.nodes[0].memory: memory must not be negative," + " but was -1 bytes");
    refusesNode(
        "'memory': '-1GiB'",
        "1, column 34: $.nodes[0].memory: memory must be a number with a unit, such as 16GiB,"
            + " but was \"-1GiB\"");
  }

  @Test
  void quantitiesThatAreNone() {
    String memory = "memory must be a number with a unit, such as 16GiB";
    String tooLarge = "memory must be whole and below 2^63 when counted in bytes";
    String bandwidth = "bandwidth must be a number with a unit, such as 100Gbit/s";

    refusesNode(
        "'memory': '16Gb'", "1, column 34: $.nodes[0].memory: " + memory + ", but was \"16Gb\"");
    refusesNode(
        "'memory': '1.5B'", "1, column 34: $.nodes[0].memory: " + tooLarge + ", but was \"1.5B\"");
    refusesNode(
        "'memory': '9999999999999TiB'",
        "1, column 34: $.nodes[0].memory: " + tooLarge + ", but was \"9999999999999TiB\"");
    refusesNode(
        "'nvlink': '1GiB'", "1, column 34: $.nodes[0].nvlink: " + bandwidth + ", but was \"1GiB\"");
    refusesNode(
        "'nic': '0Gbit/s'",
        "1, column 31: $.nodes[0].nic: a link's bandwidth must be more than zero");
    refusesNode(
        "'cpu': 1.0001",
        "1, column 31: $.nodes[0].cpu: must be a number of whole thousandths of cores,"
            + " but was 1.0001");
    refusesNode(
        "'cpu': 1e999999999",
        "1, column 31: $.nodes[0].cpu: must be a number of whole thousandths of cores,"
            + " but was 1e999999999");
    refusesNode(
        "'cpu': 1e99999999999",
        "1, column 31: $.nodes[0].cpu: must be a number with a smaller exponent,"
            + " but was 1e99999999999");
    refusesNode(
        "'nic': {'latency': '2 fortnights'}",
        "1, column 43: $.nodes[0].nic.latency: must be a duration such as \"90s\", \"1.5h\" or"
            + " \"PT1H30M\", but was \"2 fortnights\"");
  }

  @Test
  void aShareOfMoreThanAGpuOrOfNothing() {
    for (String share : List.of("1.7", "0", "-1", "5000000000")) {
      refusesJob(
          "{'id': 'a', 'roles': [{'name': 'w', 'count': 1, 'request': {'share': " + share + "}}]}",
          "1, column 70: $.roles[0].request.share: must be a share of a GPU from 0.001 to 1,"
              + " but was "
              + share);
    }
  }

  @Test
  void aGapInTheNumbersOfGpus() {
    refusesNode(
        "'gpus': [{'index': 0, 'model': 'V100', 'memory': '16GiB'},"
            + " {'index': 2, 'model': 'V100', 'memory': '16GiB'}]",
        "1, column 93: $.nodes[0].gpus[1].index: must be 1, the next number, but was 2");
  }

  @Test
  void moreGpusThanANodeMayHave() {
    refusesNode(
        "'gpus': [{'count': 1025, 'model': 'V100', 'memory': '16GiB'}]",
        "1, column 43: $.nodes[0].gpus[0].count: must be from 1 to 1024, but was 1025");
  }

  @Test
  void aGroupThatWouldFillTheMemory() {
    refusesCluster(
        "{'nodes': [{'count': 2000000000, 'id': 'n%d'}]}",
        "1, column 22: $.nodes[0].count: must be from 1 to 1000000, but was 2000000000");
    refusesCluster(
        "{'levels': ['rack'], 'domains': [{'level': 'rack', 'id': 'r'},"
            + " {'level': 'rack', 'count': 1000000, 'id': 'r%d'}], 'nodes': []}",
        "1, column 64: $.domains[1]: a cluster file may have up to 1000000 domains,"
            + " but had at least 1000001");
    refusesCluster(
        "{'nodes': [{'count': 1000000, 'id': 'n%d', 'gpus':"
            + " [{'count': 1024, 'model': 'V100', 'memory': 0}]}]}",
        "1, column 12: $.nodes[0]: a cluster file may have up to 1000000 nodes with 10000000"
            + " GPUs and labels, but had at least 1000000 with 1024000000");
    assertThat(
            catchRefusal(
                JsonCodecs.CLUSTER,
                "{\"nodes\": [{\"count\": 9, \"id\": \"%d" + "x".repeat(300) + "\"}]}"))
        .hasMessageContaining("must be an id of up to 256 characters, as all ids of a group");
  }

  @Test
  void aGroupWithoutAPlaceForTheNumber() {
    refusesCluster(
        "{'nodes': [{'count': 2, 'id': 'n'}]}",
        "1, column 31: $.nodes[0].id: must be an id with one place for the number,"
            + " such as \"n%d\" or \"n%03d\", but was \"n\"");
  }

  @Test
  void aLevelThatIsNotNamed() {
    refusesCluster(
        "{'levels': ['rack'], 'domains': [{'level': 'row', 'id': 'r1'}], 'nodes': []}",
        "1, column 44: $.domains[0].level: must be one of the levels [rack], but was \"row\"");
  }

  @Test
  void aDomainOnOneThatIsNotWider() {
    refusesCluster(
        """
        {"levels": ["zone", "rack"], "domains": [
          {"level": "rack", "id": "r1"},
          {"level": "rack", "id": "r2", "parent": "r1"}], "nodes": []}
        """,
        "3, column 3: $.domains[1]: a domain must hang on one of a wider level,"
            + " but rack 'r2' hangs on rack 'r1'");
  }

  @Test
  void aDomainOnOneThatComesLater() {
    refusesCluster(
        """
        {"levels": ["zone", "rack"], "domains": [
          {"level": "rack", "id": "r1", "parent": "z1"},
          {"level": "zone", "id": "z1"}], "nodes": []}
        """,
        "2, column 3: $.domains[0]: a domain must come after the one it hangs on,"
            + " but 'r1' hangs on 'z1'");
  }

  @Test
  void aNodeOnADomainThatIsNotThere() {
    refusesNode(
        "'domain': 'r1'",
        "1, column 12: $.nodes[0]: node 'n' hangs on domain 'r1', which is not there");
  }

  @Test
  void anIdOfANodeThatComesTwice() {
    refusesCluster(
        "{'nodes': [{'count': 3, 'id': 'n%d'}, {'id': 'n2'}]}",
        "1, column 39: $.nodes[1]: ids of nodes must be distinct, but 'n2' comes twice");
  }

  @Test
  void aClusterWithoutNodes() {
    refusesCluster(
        "{'nodes': []}", "1, column 1: $: a cluster needs at least one node, but had none");
  }

  @Test
  void eventsAndTheirParts() {
    refusesEvent(
        "{'type': 'nodeGone', 'at': '2026-01-31T12:00:00Z'}",
        "1, column 10: $.type: must be one of [jobSubmitted, jobStarted, jobAdopted,"
            + " jobFinished, jobFailed, jobStopped,"
            + " jobCancelled, jobUpdated, jobHeld, jobReleased, jobProgressed, resizeReported,"
            + " jobProfiled, nodeLost, nodeDraining, nodeReturned, nodeAdded, nodeRetired, gpuLost,"
            + " gpuReturned, dataArrived, prefetchFailed, dataEvicted, queuesChanged,"
            + " reservationAnnounced, reservationChanged, reservationCancelled, bundle, timePassed,"
            + " planProposed], but was \"nodeGone\"");
    refusesEvent(
        "{'type': 'timePassed', 'at': '31.1.2026'}",
        "1, column 30: $.at: must be a time such as \"2026-01-31T12:00:00Z\","
            + " but was \"31.1.2026\"");
    refusesEvent(
        "{'type': 'gpuLost', 'at': '2026-01-31T12:00:00Z', 'gpu': 'n7'}",
        "1, column 58: $.gpu: must be a GPU such as \"n7:3\", but was \"n7\"");
  }

  @Test
  void treesOfQueues() {
    refusesTree("[]", "76: $.tree.queues: a tree must have a queue, but has none");
    refusesTree("[{'name': 'a'}, {'name': 'a'}]", "76: $.tree.queues: there are two queues 'a'");
    refusesTree(
        "[{'name': 'a', 'parent': 'b'}]",
        "76: $.tree.queues: the parent of a queue must be a queue, but that of 'a' is 'b', which is"
            + " none");
    refusesTree(
        "[{'name': 'a', 'gpus': {'guaranteed': -1}}]",
        "114: $.tree.queues[0].gpus.guaranteed: a guaranteed quota must be at least 0, but was"
            + " -1.0");
    refusesTree(
        "[{'name': 'a', 'gpus': {'guaranteed': 8, 'limit': 4}}]",
        "126: $.tree.queues[0].gpus.limit: a limit must be at least what is guaranteed, 8.0, but"
            + " was 4.0");
  }

  private static void refusesTree(String queues, String message) {
    refusesEvent(
        "{'type': 'queuesChanged', 'at': '2026-01-31T12:00:00Z', 'tree': {'queues': "
            + queues
            + "}}",
        "1, column " + message);
  }

  @Test
  void aFileThatIsNotUtf8(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("jobs.json");
    Files.write(file, "[{\"id\": \"J\u00f6b\"}]".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> JsonCodecs.JOBS.read(file))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage(file + ", line 1, column 1: $: must be in UTF-8, but what follows is not");
  }

  @Test
  void aFileThatIsNotThere(@TempDir Path folder) {
    Path file = folder.resolve("jobs.json");

    assertThatThrownBy(() -> JsonCodecs.JOBS.read(file))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot read '" + file + "': there is no such file or folder");
  }

  @Test
  void theExceptionKnowsThePlace() {
    JsonFormatException refusal =
        catchRefusal(JsonCodecs.JOB, "{\n  \"id\": \"a\",\n  \"gpus\": true\n}");

    assertThat(refusal.source()).isEqualTo("in.json");
    assertThat(refusal.line()).isEqualTo(3);
    assertThat(refusal.column()).isEqualTo(11);
  }

  @Test
  void whatWouldBreakTheLineIsEscaped() {
    assertThat(catchRefusal(JsonCodecs.JOB, "{\"id\\r\\n\\u2028\": 1}"))
        .hasMessageContaining("$: the field 'id' is missing; the fields here are")
        .hasMessageNotContaining("\n");
  }

  private static void refusesJob(String text, String message) {
    refuses(JsonCodecs.JOB, text, message);
  }

  private static void refusesCluster(String text, String message) {
    refuses(JsonCodecs.CLUSTER, text, message);
  }

  private static void refusesNode(String field, String message) {
    refusesCluster("{'nodes': [{'id': 'n', " + field + "}]}", message);
  }

  private static void refusesEvent(String text, String message) {
    refuses(JsonCodecs.EVENT, text, message);
  }

  private static void refuses(JsonCodec<?> codec, String text, String message) {
    assertThat(catchRefusal(codec, text.replace('\'', '"'))).hasMessage("in.json, line " + message);
  }

  private static JsonFormatException catchRefusal(JsonCodec<?> codec, String text) {
    return catchThrowableOfType(JsonFormatException.class, () -> codec.read("in.json", text));
  }
}
